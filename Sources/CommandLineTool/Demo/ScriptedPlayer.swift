// SPDX-License-Identifier: Apache-2.0

import Engine

/// A player that follows a script: it taps with small errors drawn from a seed, misses some beats on purpose until the
/// game helps, and shows what that help is.
///
/// The same seed and spawns give the same taps, so that two runs of the demo can be compared.
struct ScriptedPlayer {
  /// One tap to come.
  struct Tap: Equatable {
    var atUs: Int64
    var lane: String?
    var intent: Intent
  }

  enum Intent: Equatable {
    /// As near as this player can.
    case near
    /// 200 ms off: a hit only in the widened window.
    case wide
    /// Where no beat is.
    case ghost
  }

  /// The beats that it lets pass: as many misses as bring the assist, between hits.
  let missed: Set<Int>
  private var random: SplitMix64

  init(seed: UInt64, missed: Set<Int> = [3, 5, 6, 8, 9]) {
    self.missed = missed
    random = SplitMix64(seed: seed)
  }

  /// The first beat for which the assist counts.
  var assistedFrom: Int { (missed.max() ?? -1) + 1 }

  /// The taps for a beat that has come into sight, in order.
  mutating func taps(beat: Int, lane: String?, beatUs: Int64) -> [Tap] {
    if missed.contains(beat) { return [] }
    let error = steadyError()
    let near = Tap(atUs: beatUs + error, lane: lane, intent: .near)
    let ghost = Tap(atUs: beatUs + 700_000, lane: lane, intent: .ghost)
    if beat < assistedFrom { return beat == 1 ? [near, ghost] : [near] }
    switch (beat - assistedFrom) % 6 {
    case 0: return [Tap(atUs: beatUs + 200_000 + error / 4, lane: lane, intent: .wide)]
    case 2: return [Tap(atUs: beatUs - 200_000 + error / 4, lane: lane, intent: .wide)]
    case 5: return [near, ghost]
    default: return [near]
    }
  }

  /// Nearly normal: twelve uniform draws (Irwin-Hall), 18 ms of standard deviation, 4 ms late on average, within 60 ms.
  private mutating func steadyError() -> Int64 {
    var sum = 0.0
    for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &random) }
    return Int64(max(-60_000, min(60_000, 4_000 + (sum - 6) * 18_000)))
  }
}
