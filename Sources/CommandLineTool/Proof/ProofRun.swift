// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// Plays a proof's pack in the daemon and keeps what was asked and told.
struct ProofRun {
  private let connection: StarlightConnection
  private let pack: ProofPack
  private(set) var trials = ProofTrials()

  /// How long before the chapter ends it may take to say so.
  private static let patienceUs: Int64 = 3_000_000

  init(_ connection: StarlightConnection, _ pack: ProofPack) {
    self.connection = connection
    self.pack = pack
  }

  /// Plays `count` chirps, each asked for now, at gaps drawn from `numbers`; with a tap at the pads where `touches`.
  mutating func playSounds(
    _ count: Int, touches: Bool, using numbers: inout some RandomNumberGenerator, _ signals: borrowing SignalWatch
  ) throws(ToolFailure) {
    for index in 0..<count {
      try wait(Int64.random(in: ProofTrials.gapsUs, using: &numbers), signals)
      let code = index % pack.chirps
      let sent = nowUs()
      if touches {
        let fired = try connection.ask(CueFire.self, CueFire.Params(cue: pack.named(ProofPack.cue(code))))
        guard let sound = fired.soundAtUs else {
          throw ToolFailure(
            "the daemon leaves sounds out: \(fired.skipped.joined(separator: ", "))",
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
    try wait(ProofTrials.gapsUs.upperBound, signals)
  }

  /// Plays the chapter to its end, with a tap at each beat.
  mutating func playChapter(_ signals: borrowing SignalWatch) throws(ToolFailure) {
    guard !pack.beats.isEmpty else { return }
    _ = try connection.ask(EventsSubscribe.self, EventsSubscribe.Params(topics: [.rhythm]))
    let started = try connection.ask(
      RhythmStart.self, RhythmStart.Params(chapter: pack.named(ProofPack.chapter), unrecorded: true))
    do throws(ToolFailure) {
      try follow(until: started.endUs + Self.patienceUs, signals)
    } catch {
      _ = try? connection.call(RhythmStop.self, Empty())
      throw error
    }
    _ = try? connection.call(MusicStop.self, FadeParams(atUs: nil))
  }

  private mutating func follow(until endUs: Int64, _ signals: borrowing SignalWatch) throws(ToolFailure) {
    while nowUs() < endUs {
      try signals.endIfAsked()
      guard let notification = try connection.next(withinUs: 100_000) else { continue }
      let read = nowUs()
      if notification.method == RhythmComplete.name { return }
      guard notification.method == RhythmBeat.name, let beat = notification.payload(RhythmBeat.self),
        pack.beats.indices.contains(beat.beat)
      else { continue }
      trials.beats.append(.init(code: pack.beats[beat.beat].code, toldUs: notification.tUs, readUs: read))
      let sent = nowUs()
      _ = try connection.ask(RhythmTap.self, RhythmTap.Params(atUs: sent, lane: beat.lane))
      trials.tapsUs.append(nowUs() - sent)
    }
  }

  private func wait(_ microseconds: Int64, _ signals: borrowing SignalWatch) throws(ToolFailure) {
    let until = nowUs() + microseconds
    while nowUs() < until {
      try signals.endIfAsked()
      _ = waitReadable([signals.descriptor], microseconds: until - nowUs())
    }
  }
}

extension SignalWatch {
  /// Throws where a signal has come.
  func endIfAsked() throws(ToolFailure) {
    if take() != nil { throw ToolFailure("ended before its time", exit: .interrupted) }
  }
}
