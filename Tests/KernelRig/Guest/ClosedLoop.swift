// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// One moment, followed out of the daemon on every way: what is heard comes out of the loopback card, what is felt reaches
/// the pad, what is told reaches a client.
enum ClosedLoop {
  static let beats = 20
  static let firstUs: Int64 = 500_000
  static let everyUs: Int64 = 200_000

  /// What waking up and writing may take a processor of 500 million instructions a second.
  static let limitUs: Int64 = 1_000

  static func run(_ report: inout Report) throws {
    let pad = try PluggedPad("Rig Pad", .rumble, product: 1, log: "closed-loop")
    let capturing = try Capturing("closed-loop")
    let daemon = try Daemon("closed-loop", ["--device", "hw:Loopback,0,0", "--period", "256"])
    usleep(700_000)
    let evdev = try daemon.status().haptics.first { $0.kind.isFelt }

    let start = try daemon.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "drill"))
    let moments = (0..<beats).map { start.startUs + firstUs + Int64($0) * everyUs }
    var late = 0
    for moment in moments {
      try daemon.listen(until: moment - 350_000)
      let fired = try daemon.connection.call(CueFire.self, CueFire.Params(cue: "strike", atUs: moment))
      guard fired.skipped.isEmpty else { throw RigFailure("a cue fired in part: \(fired.skipped)") }
      if fired.lateUs > 0 { late += 1 }
    }
    report.check("fired in time", late == 0, "\(late) of \(beats) late")
    try daemon.listen(until: start.startUs + firstUs + Int64(beats) * everyUs)

    // And without an instant: how long a command takes to be heard.
    var sent: [Int64] = []
    for _ in 0..<10 {
      try daemon.listen(until: monotonicUs() + 150_000)
      sent.append(monotonicUs())
      _ = try Part.sound("tock").play(on: daemon.connection, at: nil)
    }
    try daemon.listen(until: monotonicUs() + 200_000)
    let arrivals = daemon.told.filter { $0.notification.method == RhythmBeat.name }.map(\.arrivalUs)
    let xruns = try daemon.status().audio.xruns
    try daemon.finish()
    let captured = try capturing.finish()
    pad.unplug()

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
    let answers = sent.compactMap { moment in onsets.first { $0 > moment }.map { $0 - moment } }
    report.note("from command to sound", "\(Distribution(answers.filter { $0 < 150_000 }))")
  }

  /// The instant nearest to a moment, if there is one within 60 ms.
  private static func nearest(_ instants: [Int64], _ moment: Int64) -> Int64? {
    instants.min { abs($0 - moment) < abs($1 - moment) }.flatMap { abs($0 - moment) <= 60_000 ? $0 : nil }
  }

  /// Where sound begins after silence, as instants.
  private static func onsets(_ captured: Captured) -> [Int64] {
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
    let distribution = Distribution(skews)
    report.check(
      what, skews.count >= beats - xruns && abs(distribution.worst) < limitUs,
      "\(skews.count) of \(beats) moments, \(distribution)")
  }
}
