// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

/// One thread or device at a time is held up in a known way: who explains names it, each time. Among the rest each is tried a few
/// times, and 100 times where the scenario is named: who holds a thread up uses an emulated processor up.
struct CulpritChecks {
  private static let few = 5
  private static let many = 100

  private typealias Culprit = TraceBlame.Culprit
  private let trials: Int
  private let name: String
  private let daemon: Daemon
  private let pad: PluggedPad

  static func run(_ report: inout Report, whole: Bool) throws {
    let trials = whole ? many : few
    func part(_ name: String, _ body: (CulpritChecks, inout Report) throws -> Void) throws {
      let checks = try CulpritChecks(name, trials)
      try body(checks, &report)
      try checks.finish()
    }
    try part("stopped") { try $0.stopDaemon(&$1) }
    try part("pad") { try $0.stopPad(&$1) }
    try part("client") { try $0.stopReading(&$1) }
    try part("control") { try $0.holdControl(&$1) }
    try part("audio") { try $0.holdAudio(&$1) }
    try part("haptics") { try $0.holdHaptics(&$1) }
    try part("beats") { try $0.holdBeats(&$1) }
  }

  private init(_ name: String, _ trials: Int) throws {
    (self.name, self.trials) = (name, trials)
    pad = try PluggedPad("Rig Pad", .rumble, product: 40, log: "culprits-" + name)
    daemon = try Daemon.atDefaults("culprits-" + name)
    try daemon.listen(until: monotonicUs() + 700_000)
  }

  private func finish() throws {
    try daemon.finish()
    pad.unplug()
  }

  /// Tries a way so often, with as much time after each: each has to name who it is.
  private func expect(
    _ culprit: Culprit, _ what: String, _ report: inout Report,
    settlingUs: Int64 = 0, _ way: (CulpritChecks) throws -> (kind: TraceKind, id: Int64)
  ) throws {
    var named: [String: Int] = [:]
    for _ in 0..<trials {
      let (kind, id) = try way(self)
      let life = try daemon.connection.call(TraceExplain.self, TraceExplain.Params(kind: kind, id: id))
      named[life.late.first?.who.rawValue ?? "nobody", default: 0] += 1
      pad.answers(true)
      try pass(settlingUs)
    }
    let count = named[culprit.rawValue] ?? 0
    let others = count == trials ? "" : ", \(named)"
    report.check(what, count == trials, "\(culprit.rawValue) \(count) of \(trials)\(others)")
  }

  private func play(inUs: Int64) throws -> (id: Int64, atUs: Int64) {
    let params = SoundPlay.Params(sound: "tick", atUs: monotonicUs() + inUs)
    let played = try daemon.connection.call(SoundPlay.self, params)
    return (played.id ?? 0, played.scheduledUs)
  }

  private func tap(inUs: Int64) throws -> (player: Int64, atUs: Int64) {
    let params = HapticsTransient.Params(intensity: 1, sharpness: 1, atUs: monotonicUs() + inUs)
    let played = try daemon.connection.call(HapticsTransient.self, params)
    return (played.player ?? 0, played.scheduledUs)
  }

  /// A sound that is not rendered yet, however far ahead the device is kept by now: it is, after each time that it ran dry.
  private func playAhead() throws -> (id: Int64, atUs: Int64) {
    let audio = try daemon.status().audio
    return try play(inUs: Int64(audio.bufferFrames) * 1_000_000 / Int64(audio.rate) + 30_000)
  }

  /// A device that runs dry five times in ten seconds is closed and opened anew.
  private static let apartUs: Int64 = 2_600_000

  private func pass(_ us: Int64) throws { try daemon.listen(until: monotonicUs() + us) }

  // MARK: What is stopped

  /// Over the instant at which a sound is to be heard.
  private func stopDaemon(_ report: inout Report) throws {
    try expect(.daemonStoodStill, "the daemon is stopped", &report, settlingUs: Self.apartUs) { checks in
      let sound = try checks.playAhead()
      checks.daemon.process.signal(SIGSTOP)
      sleep(until: sound.atUs + 40_000)
      checks.daemon.process.signal(SIGCONT)
      try checks.pass(80_000)
      return (.sound, sound.id)
    }
  }

  /// An upload waits for its answer until the pad goes on; who asks meanwhile is told so, too.
  private func stopPad(_ report: inout Report) throws {
    for isLater in [false, true] {
      let what = "an upload is not answered, asked \(isLater ? "later" : "meanwhile")"
      try expect(.hapticDevice, what, &report, settlingUs: 100_000) { checks in
        checks.pad.answers(false)
        let tap = try checks.tap(inUs: 60_000)
        try checks.pass(100_000)
        if isLater {
          checks.pad.answers(true)
          try checks.pass(100_000)
        }
        return (.haptics, tap.player)
      }
    }
  }

  private func stopReading(_ report: inout Report) throws {
    let deaf = try StarlightConnection(path: daemon.socketPath)
    _ = try deaf.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.cue]))
    // Until its socket takes no more.
    for _ in 0..<500 { _ = try daemon.connection.call(CueFire.self, CueFire.Params(cue: "strike")) }
    try pass(100_000)
    try expect(.clientDoesNotRead, "a client does not read", &report) { checks in
      let fired = try checks.daemon.connection.call(CueFire.self, CueFire.Params(cue: "strike"))
      try checks.pass(80_000)
      return (.cue, fired.id ?? 0)
    }
  }

  // MARK: What is kept from the processor

  /// While what is planned is to be handed over.
  private func holdControl(_ report: inout Report) throws {
    let hold = try ThreadHold(.control, of: daemon.process)
    try expect(.controlDescheduled, "control is not let run", &report) { checks in
      let sound = try checks.play(inUs: 150_000)
      try checks.pass(10_000)
      hold.hold(until: sound.atUs + 20_000)
      try checks.pass(60_000)
      return (.sound, sound.id)
    }
  }

  private func holdAudio(_ report: inout Report) throws {
    let hold = try ThreadHold(.named(prefix: "audio"), of: daemon.process)
    try expect(.audioDescheduled, "the audio thread is not let run", &report, settlingUs: Self.apartUs) { checks in
      let sound = try checks.playAhead()
      hold.hold(until: sound.atUs + 20_000)
      try checks.pass(80_000)
      return (.sound, sound.id)
    }
  }

  private func holdHaptics(_ report: inout Report) throws {
    let hold = try ThreadHold(.named(prefix: "haptic"), of: daemon.process)
    try expect(.hapticDescheduled, "a pad's thread is not let run", &report) { checks in
      let tap = try checks.tap(inUs: 60_000)
      hold.hold(until: tap.atUs)
      try checks.pass(80_000)
      return (.haptics, tap.player)
    }
  }

  private func holdBeats(_ report: inout Report) throws {
    let hold = try ThreadHold(.named(prefix: "beats"), of: daemon.process)
    var beat = 0
    var startUs: Int64 = 0
    try expect(.beatsDescheduled, "the thread that sends beats is not let run", &report) { checks in
      if beat % 60 == 0 {
        _ = try? checks.daemon.connection.call(RhythmStop.self, Empty())
        startUs = try checks.daemon.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "bound")).startUs
        beat = 0
      }
      let atUs = startUs + RigPack.firstBeatUs + Int64(beat) * RigPack.everyUs
      defer { beat += 1 }
      try checks.daemon.listen(until: atUs - 5_000)
      hold.hold(until: atUs + 15_000)
      try checks.pass(50_000)
      return (.beat, Int64(beat))
    }
  }
}
