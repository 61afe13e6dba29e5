// SPDX-License-Identifier: Apache-2.0

import AudioInput
import Glibc
import Rhythm
import StarlightClient
import Wire

/// `starlight calibrate`: chirps are played and captured, and how late they are heard becomes the device's lead.
enum LeadCalibration {
  /// A chirp and its gap, and some seconds beside.
  private static func longestSeconds(_ trials: Int) -> Double {
    Double(trials) * (Double(ProofTrials.gapsUs.upperBound) / 1e6 + 0.1) + 30
  }

  private struct Report: Encodable {
    var device: String
    var found: FoundLead
    var saved: Bool
  }

  static func run(_ tool: Tool, _ signals: borrowing SignalWatch) throws(ToolFailure) {
    let connection = try tool.connect(needsTime: true)
    let status = try connection.ask(EngineStatus.self, Empty())
    try ProofCommand.refuse(status)
    let count = tool.invocation[CalibrateCommand.trials] ?? 60
    let channel = (tool.invocation[ProofCommand.channel] ?? 1) - 1
    var numbers = SystemRandomNumberGenerator()
    let pack = ProofPack(name: "calibration-\(getpid())", rate: status.audio.rate, beats: 1, using: &numbers)
    let folder = try TemporaryFolder(named: "calibration")
    try pack.write(to: folder.path)
    let capture = try ProofCommand.begin(
      tool.invocation[ProofCommand.capture] ?? "default", status, [channel], atMost: longestSeconds(count), signals)
    let chirps = try play(tool, connection, pack, folder.path, count, signals)
    let sound = try ProofCommand.finish(capture)
    let found = try found(chirps, sound, status.audio)
    let lines = leadLines(found, device: status.audio.device, width: tool.out.readableWidth)
    let keeps = CalibrateCommand.isToBeKept(
      lines, tool, "Keep \(signedMilliseconds(found.deviceLeadUs, places: 2)) as the lead of \(status.audio.device)?")
    if keeps {
      let params = DevicesSet.Params(device: status.audio.device, deviceLeadUs: found.deviceLeadUs)
      _ = try connection.ask(DevicesSet.self, params)
    }
    let report = Report(device: status.audio.device, found: found, saved: keeps)
    CalibrateCommand.tell(report, isKept: keeps, tool)
  }

  private static func play(
    _ tool: Tool, _ connection: StarlightConnection, _ pack: ProofPack, _ folder: String, _ count: Int,
    _ signals: borrowing SignalWatch
  ) throws(ToolFailure) -> [ProofTrials.Sound] {
    let played = try PlayedPack(pack.name, in: folder, connection)
    defer { played.takeOut() }
    var numbers = SystemRandomNumberGenerator()
    var run = ProofRun(connection: connection, pack: pack)
    tool.errors.note("plays and captures \(count) chirps, for about \(count * 2 / 5) s")
    try run.playSounds(count, touches: false, using: &numbers, signals)
    // The last is heard as late as any lead can be.
    try signals.wait(untilUs: (run.trials.sounds.last?.toldUs ?? nowUs()) + deviceLeads.upperBound + 200_000)
    return run.trials.sounds
  }

  private static func found(
    _ chirps: [ProofTrials.Sound], _ sound: CapturedSound, _ audio: EngineStatus.Audio
  ) throws(ToolFailure) -> FoundLead {
    let found: FoundLead
    do throws(OffsetRefusal) {
      found = try FoundLead(chirps, heardIn: sound, knownUs: audio.deviceLeadUs)
    } catch {
      throw ToolFailure("no lead is to be had from this: \(error.reason(of: "chirps"))", hint: error.remedyForChirps)
    }
    guard deviceLeads.contains(found.deviceLeadUs) else {
      throw ToolFailure(
        "a lead of \(signedMilliseconds(found.deviceLeadUs)) is beyond what a device is believed",
        hint: "capture nearer to what is heard: what the capture itself adds counts too")
    }
    return found
  }
}

extension OffsetRefusal {
  /// What to do about it where chirps were captured.
  fileprivate var remedyForChirps: String {
    switch self {
    case .tooFew: "capture what plays: a cable or a microphone near the loudspeaker, louder; `arecord -L` lists devices"
    case .scattered, .uncertain: "turn the sound up and other noise down; a radio link that varies so has no one lead"
    case .drifting: "try again once the device has played for a while; through a sound server its figures may wander"
    }
  }
}
