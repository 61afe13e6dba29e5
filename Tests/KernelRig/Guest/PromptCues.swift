// SPDX-License-Identifier: Apache-2.0

import Wire

/// Cues that are fired without an instant, by a client and as a chapter's feedback: what is told of when each is heard and
/// felt.
struct PromptCues {
  /// One of them, in microseconds of CLOCK_MONOTONIC.
  struct Fired {
    /// Before the line was written.
    var sentUs: Int64
    var soundUs: Int64
    var touchUs: Int64
    /// How much later it is felt than heard, as it is told.
    var skewUs: Int64
  }

  /// How many, at most as many as the chapter has beats.
  let count: Int

  /// How far they are apart at least: until the last is neither heard nor felt.
  private static let everyUs: Int64 = 200_000

  /// Fires them at odd moments, so that the lines come at all phases of a period. What is done for the first time is translated
  /// by the emulator first: two more come before.
  func fire(on daemon: Daemon) throws -> [Fired] {
    let fired = try (0..<count + 2).map { index in
      try daemon.listen(until: monotonicUs() + Self.everyUs + Int64(index * 7_919 % 5_003))
      let sentUs = monotonicUs()
      let told = try daemon.connection.call(CueFire.self, CueFire.Params(cue: "strike"))
      guard let soundUs = told.soundAtUs, let touchUs = told.hapticAtUs, let skewUs = told.skewUs else {
        throw RigFailure("a cue fired in part: \(told.skipped)")
      }
      return Fired(sentUs: sentUs, soundUs: soundUs, touchUs: touchUs, skewUs: skewUs)
    }
    try daemon.listen(until: monotonicUs() + Self.everyUs)
    return Array(fired.dropFirst(2))
  }

  /// Taps on the beats of a chapter that answers a hit by the same cue.
  func answer(on daemon: Daemon) throws -> [Fired] {
    let start = try daemon.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "answer"))
    let before = try daemon.all(CueFired.self).count
    var sent: [Int64] = []
    for index in 0..<count {
      // A tap may be a little off.
      let tapUs = start.startUs + RigPack.firstBeatUs + Int64(index) * RigPack.everyUs + Int64(index * 7_919 % 5_003)
      try daemon.listen(until: tapUs)
      sent.append(monotonicUs())
      let answer = try daemon.connection.call(RhythmTap.self, RhythmTap.Params(atUs: tapUs))
      guard answer.verdict == .hit else { throw RigFailure("a tap on its beat is \(answer.verdict)") }
    }
    try daemon.listen(until: monotonicUs() + Self.everyUs)
    _ = try daemon.connection.call(RhythmStop.self, Empty())
    let fired = try daemon.all(CueFired.self).dropFirst(before).map(\.payload)
    guard fired.count == count else { throw RigFailure("\(fired.count) cues for \(count) hits") }
    return try zip(sent, fired).map { sentUs, cue in
      guard let soundUs = cue.soundAtUs, let touchUs = cue.hapticAtUs, let skewUs = cue.skewUs else {
        throw RigFailure("a cue fired in part: \(cue.skipped)")
      }
      return Fired(sentUs: sentUs, soundUs: soundUs, touchUs: touchUs, skewUs: skewUs)
    }
  }
}
