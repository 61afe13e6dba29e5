// SPDX-License-Identifier: Apache-2.0

import Glibc
import Rhythm
import StarlightClient
import Wire

/// `starlight calibrate --tap`: somebody taps to clicks of the daemon, which judges the taps without any offset.
struct TapCalibration {
  let connection: StarlightConnection
  /// Hits so far, in order.
  private(set) var samples: [SteadyOffset.Sample] = []
  private(set) var isEnded = false

  private struct Report: Encodable {
    var profile: String
    var judgingOffsetUs: Int64
    var spreadUs: Int64
    var standardErrorUs: Int64
    var driftUs: Int64
    var taps: Int
    var leftOut: Int
    var saved: Bool
  }

  static func run(_ tool: Tool, _ signals: borrowing SignalWatch) throws(ToolFailure) {
    let connection = try tool.connect(needsTime: true)
    let status = try connection.ask(EngineStatus.self, Empty())
    try ProofCommand.refuse(status)
    let profile = tool.invocation[CalibrateCommand.profile] ?? status.settings.profile
    let count = tool.invocation[CalibrateCommand.trials] ?? 60
    var numbers = SystemRandomNumberGenerator()
    let pack = ClickPack(name: "calibration-\(getpid())", rate: status.audio.rate, count: count, using: &numbers)
    let folder = try TemporaryFolder(named: "calibration")
    try pack.write(to: folder.path)
    let played = try PlayedPack(pack.name, in: folder.path, connection)
    defer { played.takeOut() }
    tool.errors.note(
      "tap any key with each of \(count) clicks as you hear it, for about \(count * 11 / 10 + 3) s; Ctrl-C ends it")
    var run = TapCalibration(connection: connection)
    try run.play(pack, signals)
    return try tell(tool, run.samples, of: profile, connection)
  }

  /// Plays the clicks to their end, and has each tap judged.
  private mutating func play(_ pack: ClickPack, _ signals: borrowing SignalWatch) throws(ToolFailure) {
    let params = RhythmStart.Params(
      chapter: pack.chapterName, unrecorded: true, leaseUs: 0, judgingOffsetUs: 0)
    try connection.playChapter(params) { endUs throws(ToolFailure) in
      // Keys one by one where somebody sits at them, else lines.
      let raw = RawMode(descriptor: 0)
      try listen(until: endUs, signals)
      _ = consume raw
    }
  }

  private mutating func listen(until endUs: Int64, _ signals: borrowing SignalWatch) throws(ToolFailure) {
    var hasInput = true
    while !isEnded, nowUs() < endUs {
      try signals.endIfAsked()
      while let notification = try connection.next(withinUs: 0) {
        if notification.method == RhythmComplete.name { isEnded = true }
      }
      let watched = [connection.descriptor, signals.descriptor] + (hasInput ? [0] : [])
      let readable = waitReadable(watched, microseconds: 100_000)
      guard hasInput, readable[2] else { continue }
      let stamp = nowUs()
      var bytes = [UInt8](repeating: 0, count: 256)
      hasInput = read(0, &bytes, bytes.count) > 0
      // However many bytes a key or a line sends, it is one tap.
      if hasInput { try tap(atUs: stamp) }
    }
  }

  private mutating func tap(atUs: Int64) throws(ToolFailure) {
    do throws(ClientError) {
      let judged = try connection.call(RhythmTap.self, RhythmTap.Params(atUs: atUs))
      if let error = judged.errorUs { samples.append(SteadyOffset.Sample(at: judged.tapUs, error: error)) }
    } catch {
      // Before the first click and behind the last there is nothing to be tapped to.
      guard case .rpc = error.kind else { throw ToolFailure(error) }
    }
  }

  private static func tell(
    _ tool: Tool, _ samples: [SteadyOffset.Sample], of profile: String, _ connection: StarlightConnection
  ) throws(ToolFailure) {
    let offset: SteadyOffset
    do throws(OffsetRefusal) {
      offset = try SteadyOffset(samples)
    } catch {
      throw ToolFailure(
        "no offset is to be had from \(count(samples.count, "tap")): \(error.reason(of: "taps"))",
        hint: error.remedyForTaps)
    }
    let keeps = CalibrateCommand.isToBeKept(
      tapLines(offset, profile: profile, width: tool.out.readableWidth), tool,
      "Keep \(signedMilliseconds(offset.median)) as the judging offset of \(profile)?")
    if keeps {
      _ = try connection.ask(
        SettingsSet.self, SettingsSet.Params(profile: profile, judgingOffsetUs: offset.median))
    }
    let report = Report(
      profile: profile, judgingOffsetUs: offset.median, spreadUs: offset.spread,
      standardErrorUs: offset.standardError, driftUs: offset.drift, taps: offset.count, leftOut: offset.leftOut,
      saved: keeps)
    CalibrateCommand.tell(report, isKept: keeps, tool)
  }
}

/// What was found of somebody's taps, for people.
func tapLines(_ offset: SteadyOffset, profile: String, width: Int = .max) -> [String] {
  let word = offset.median < 0 ? "early" : "late"
  return [
    "\(profile) taps \(milliseconds(abs(offset.median))) \(word) (median of \(count(offset.count, "tap")), "
      + "\(offset.leftOut) wild ones left out): spread \(milliseconds(offset.spread)), standard error "
      + "\(milliseconds(offset.standardError)), drift \(signedMilliseconds(offset.drift)).",
    "Its judging offset is \(signedMilliseconds(offset.median)) by this: a tap that comes "
      + "\(milliseconds(abs(offset.median))) \(offset.median < 0 ? "before" : "after") its beat is in the middle. "
      + "Nothing that is heard, felt or told moves.",
  ].flatMap { hanging($0, indent: 2, width: width) }
}
