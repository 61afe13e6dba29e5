// SPDX-License-Identifier: Apache-2.0

import Timing

/// When a pad begins to move, out of what it is told.
struct PadMotion: Sendable {
  private struct Effect {
    /// Whether anything is felt while it plays.
    var isFelt: Bool
    /// How long it plays; nil is for ever.
    var length: Interval?
  }

  private var effects: [Int: Effect] = [:]
  /// Which one moves it, and until when.
  private var moving: (effect: Int, until: Instant)?
  /// Each time that it moved after it had been still.
  private(set) var beginnings: [Instant] = []

  /// Nothing was told.
  init() {}

  /// Effect `id` is made, or changed: of those strengths, for so many milliseconds, where 0 is for ever.
  mutating func upload(_ id: Int, strengths: (Int, Int), milliseconds: Int) {
    effects[id] = Effect(
      isFelt: strengths.0 != 0 || strengths.1 != 0,
      length: milliseconds == 0 ? nil : .milliseconds(Int64(milliseconds)))
  }

  /// Effect `id` is played so many times, or stopped where that is 0.
  mutating func play(_ id: Int, times: Int, at instant: Instant) {
    let wasMoving = moving.map { instant < $0.until } ?? false
    guard times > 0, let effect = effects[id], effect.isFelt else {
      // Stopping one effect, or playing it at no strength, leaves another as it is.
      if moving?.effect == id { moving = nil }
      return
    }
    if !wasMoving { beginnings.append(instant) }
    // What plays longer than a thousand times is renewed or stopped long before.
    let length = effect.length.map { Interval(nanoseconds: $0.nanoseconds * Int64(min(times, 1_000))) }
    moving = (id, length.map { instant + $0 } ?? .distantFuture)
  }

  /// Effect `id` is forgotten, which stops it.
  mutating func erase(_ id: Int) {
    effects[id] = nil
    if moving?.effect == id { moving = nil }
  }
}
