// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// One moment, followed out of the daemon on every way: what is heard comes out of the loopback card, what is felt reaches
/// the pad, what is told reaches a client.
enum ClosedLoop {
  static let beats = 20

  /// What waking up and writing may take a processor of 500 million instructions a second.
  static let limitUs: Int64 = 1_000

  static func run(_ report: inout Report) throws {
    let pad = try PluggedPad("Rig Pad", .rumble, product: 1, log: "closed-loop")
    let capturing = try Capturing("closed-loop")
    let daemon = try Daemon("closed-loop", ["--device", "hw:Loopback,0,0", "--period", "256"])
    usleep(700_000)
    let evdev = try daemon.status().haptics.first { $0.kind.isFelt }

    let start = try daemon.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "drill"))
    let moments = (0..<beats).map { start.startUs + RigPack.firstBeatUs + Int64($0) * RigPack.everyUs }
    var late = 0
    for moment in moments {
      try daemon.listen(until: moment - 350_000)
      let fired = try daemon.connection.call(CueFire.self, CueFire.Params(cue: "strike", atUs: moment))
      guard fired.skipped.isEmpty else { throw RigFailure("a cue fired in part: \(fired.skipped)") }
      if fired.lateUs > 0 { late += 1 }
    }
    report.check("fired in time", late == 0, "\(late) of \(beats) late")
    try daemon.listen(until: start.startUs + RigPack.firstBeatUs + Int64(beats) * RigPack.everyUs)

    let arrivals = daemon.told.filter { $0.notification.method == RhythmBeat.name }.map(\.arrivalUs)

    // And without an instant: cues, a chapter's feedback, and music.
    try daemon.listen(until: start.startUs + 5_100_000)
    let prompt = PromptCues(count: 10)
    let now = try prompt.fire(on: daemon)
    let answers = try prompt.answer(on: daemon)
    let music = try playMusic(on: daemon)
    let audio = try daemon.status().audio
    let xruns = audio.xruns
    try daemon.finish()
    let captured = try capturing.finish()
    pad.unplug()
    report.check("none later than told", audio.lateStarts == 0, "\(audio.lateStarts)")

    let onsets = onsets(captured)
    let heard = moments.map { nearest(onsets, $0) }
    let told = moments.map { nearest(arrivals, $0) }
    tell("heard", heard, moments, limitUs: LoopbackChecks.medianToleranceUs, xruns, &report)
    tell("told", told, moments, limitUs: Self.limitUs, xruns, &report)
    tell("told after heard", told, heard, limitUs: Self.limitUs, xruns, &report)
    if let evdev {
      let pulses = MotorHistory(pad.events).turning.map { $0.lowerBound + evdev.leadUs }
      let felt = moments.map { nearest(pulses, $0) }
      tell("felt", felt, moments, limitUs: Self.limitUs, xruns, &report)
      tell("felt after heard", felt, heard, limitUs: Self.limitUs, xruns, &report)
    } else {
      report.note("felt", "this starlightd drives no pads")
    }
    for (part, fired) in [("fired now", now), ("feedback", answers)] {
      report.part = part
      let heard = fired.map { nearest(onsets, $0.soundUs) }
      tell(
        "heard", heard, fired.map { Optional($0.soundUs) }, limitUs: LoopbackChecks.medianToleranceUs, xruns, &report)
      report.note(
        "from command to sound",
        "\(Distribution(zip(heard, fired).compactMap { heard, fired in heard.map { $0 - fired.sentUs } }))")
      guard let evdev else { continue }
      let pulses = MotorHistory(pad.events).turning.map { $0.lowerBound + evdev.leadUs }
      let felt = fired.map { nearest(pulses, $0.touchUs) }
      tell("felt", felt, fired.map { Optional($0.touchUs) }, limitUs: Self.limitUs, xruns, &report)
      let skews = zip(felt, heard).compactMap { felt, heard in felt.flatMap { felt in heard.map { felt - $0 } } }
      report.note("felt after heard", "\(Distribution(skews)), told \(Distribution(fired.map(\.skewUs)))")
    }
    report.part = "music now"
    let begun = music.map { nearest(onsets, $0.toldUs) }
    tell(
      "heard", begun, music.map { Optional($0.toldUs) }, limitUs: LoopbackChecks.medianToleranceUs, xruns, &report)
    report.note(
      "from command to music",
      "\(Distribution(zip(begun, music).compactMap { begun, asked in begun.map { $0 - asked.sentUs } }))")
  }

  /// Ten beginnings of a track out of silence: when each was asked for, and what was told. What is done for the first time is
  /// translated by the emulator first: two more come before.
  private static func playMusic(on daemon: Daemon) throws -> [(sentUs: Int64, toldUs: Int64)] {
    var asked: [(sentUs: Int64, toldUs: Int64)] = []
    for index in 0..<12 {
      _ = try daemon.connection.call(MusicStop.self, MusicStop.Params(fadeUs: 0))
      try daemon.listen(until: monotonicUs() + 150_000 + Int64(index * 7_919 % 5_003))
      let sentUs = monotonicUs()
      asked.append((sentUs, try Part.music("day").play(on: daemon.connection, at: nil)))
      try daemon.listen(until: monotonicUs() + 100_000)
    }
    return Array(asked.dropFirst(2))
  }

  /// The instant nearest to a moment, if there is one within 60 ms.
  static func nearest(_ instants: [Int64], _ moment: Int64) -> Int64? {
    instants.min { abs($0 - moment) < abs($1 - moment) }.flatMap { abs($0 - moment) <= 60_000 ? $0 : nil }
  }

  /// Where sound begins after silence, as instants.
  static func onsets(_ captured: Captured) -> [Int64] {
    var found: [Int64] = []
    var silent = 0
    for (index, frame) in captured.sound.frames.enumerated() {
      if frame != 0 {
        if silent >= 480, let instant = captured.instantUs(of: index) { found.append(instant) }
        silent = 0
      } else {
        silent += 1
      }
    }
    return found
  }

  private static func tell(
    _ what: String, _ instants: [Int64?], _ others: [Int64?], limitUs: Int64, _ xruns: Int, _ report: inout Report
  ) {
    let skews = zip(instants, others).compactMap { one, other in one.flatMap { one in other.map { one - $0 } } }
    let isHeld = skews.count >= others.count - xruns && abs(Distribution(skews).worst) < limitUs
    // Of a failure each: one that is off has another cause than many that drift.
    let each = isHeld ? "" : ": " + skews.map(milliseconds).joined(separator: ", ")
    report.check(what, isHeld, "\(skews.count) of \(others.count) moments, \(Distribution(skews))\(each)")
  }
}
