// SPDX-License-Identifier: Apache-2.0

import ClosedLoop
import StarlightClient
import Wire

/// Plays a proof's pack in the daemon and keeps what was asked and told.
struct ProofRun {
  let connection: StarlightConnection
  let pack: ProofPack
  private(set) var trials = ProofTrials()
  /// Beats that are in sight, have no tap at the pads yet, and when each is heard.
  private(set) var spawned: [Int: Int64] = [:]
  /// When taps that were asked for at beats are felt.
  private(set) var touches: [Int: Int64] = [:]

  /// More than a request takes.
  private static let nearUs: Int64 = 50_000

  /// Plays `count` chirps, each asked for now, at gaps drawn from `numbers`; with a tap at the pads where `touches`.
  mutating func playSounds(
    _ count: Int, touches: Bool, using numbers: inout some RandomNumberGenerator, _ signals: borrowing SignalWatch
  ) throws(ToolFailure) {
    for index in 0..<count {
      try signals.wait(untilUs: nowUs() + Int64.random(in: ProofTrials.gapsUs, using: &numbers))
      let code = index % CodedChirp.codes
      let sent = nowUs()
      if touches {
        let fired = try connection.ask(CueFire.self, CueFire.Params(cue: pack.named(ProofPack.cue(code))))
        guard let sound = fired.soundAtUs else {
          throw ToolFailure(
            "the daemon leaves sounds out: \(fired.skipped.map(skipText).joined(separator: ", "))",
            hint: "`starlight settings` says what is switched off")
        }
        trials.sounds.append(.init(code: code, sentUs: sent, toldUs: sound, touchToldUs: fired.hapticAtUs))
      } else {
        let played = try connection.ask(SoundPlay.self, SoundPlay.Params(sound: pack.named(ProofPack.sound(code))))
        guard played.skipped == nil else {
          throw ToolFailure("sounds are switched off", hint: "`starlight settings sound on`")
        }
        trials.sounds.append(.init(code: code, sentUs: sent, toldUs: played.scheduledUs))
      }
    }
    try signals.wait(untilUs: nowUs() + ProofTrials.gapsUs.upperBound)
  }

  /// Plays the chapter to its end, with a tap at each beat; with another at the pads where it `touches`.
  mutating func playChapter(touches: Bool, _ signals: borrowing SignalWatch) throws(ToolFailure) {
    guard !pack.beats.isEmpty else { return }
    let params = RhythmStart.Params(chapter: pack.named(ProofPack.chapter), unrecorded: true)
    try connection.playChapter(params) { endUs throws(ToolFailure) in
      try follow(until: endUs, touches: touches, signals)
    }
  }

  private mutating func follow(until endUs: Int64, touches: Bool, _ signals: borrowing SignalWatch) throws(ToolFailure)
  {
    while nowUs() < endUs {
      try signals.endIfAsked()
      if touches { try askForTouches() }
      guard let notification = try connection.next(withinUs: 100_000) else { continue }
      let read = nowUs()
      if notification.method == RhythmComplete.name { return }
      if touches, let spawn = notification.payload(RhythmSpawn.self) { spawned[spawn.beat] = spawn.beatUs }
      guard notification.method == RhythmBeat.name, let beat = notification.payload(RhythmBeat.self),
        pack.beats.indices.contains(beat.beat)
      else { continue }
      trials.beats.append(
        .init(
          code: pack.beats[beat.beat].code, toldUs: notification.tUs, readUs: read,
          touchToldUs: self.touches[beat.beat]))
      let sent = nowUs()
      _ = try connection.ask(RhythmTap.self, RhythmTap.Params(atUs: sent, lane: beat.lane))
      trials.tapsUs.append(nowUs() - sent)
    }
  }

  /// Asks for a tap at the pads at each beat in sight, but not while a beat is near: its notification would be read late.
  private mutating func askForTouches() throws(ToolFailure) {
    for (beat, atUs) in spawned.sorted(by: { $0.value < $1.value }) {
      let now = nowUs()
      let next = trials.beats.count
      if let nextUs = touches[next] ?? spawned[next], (now - Self.nearUs...now + Self.nearUs).contains(nextUs) {
        return
      }
      spawned[beat] = nil
      // One that has been heard meanwhile has no tap.
      guard atUs > now + Self.nearUs else { continue }
      let fired = try connection.ask(CueFire.self, CueFire.Params(cue: pack.named(ProofPack.tap), atUs: atUs))
      touches[beat] = fired.hapticAtUs
    }
  }
}

extension SignalWatch {
  /// Throws where a signal has come.
  func endIfAsked() throws(ToolFailure) {
    if take() != nil { throw ToolFailure("ended before its time", exit: .interrupted) }
  }

  /// Waits until an instant; throws where a signal comes before.
  func wait(untilUs: Int64) throws(ToolFailure) {
    while nowUs() < untilUs {
      try endIfAsked()
      _ = waitReadable([descriptor], microseconds: untilUs - nowUs())
    }
  }
}
