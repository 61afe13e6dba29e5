// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

/// Delays that are put behind the loopback (`late.c`) are found by `starlight calibrate`, kept, told and played by afterwards; noise
/// is refused. What somebody's taps have of it is found by `--tap`, and judged by. Among the rest only the longest delay is found
/// and played by: the whole takes an emulated processor a minute.
enum CalibrateChecks {
  private static let delaysUs: [Int64] = [7_000, 83_000, 251_000]
  private static let trials = 30
  private static let state = Places.work + "/calibrate"
  private static let device = "hw:Loopback,0,0"
  /// How late the player of the guest taps, and what reading a beat and a key may add.
  private static let tapUs: Int64 = 83_000
  private static let tapToleranceUs: Int64 = 2_500

  static func run(_ report: inout Report, whole: Bool) throws {
    unlink(state + "/leads")
    let daemon = try start("calibrate")
    for delayUs in delaysUs.suffix(whole ? delaysUs.count : 1) { try find(delayUs, daemon, &report) }
    if whole { try refuseNoise(daemon, &report) }
    try daemon.finish()

    report.part = "kept"
    let again = try start("calibrate-kept")
    try play(again, delayUs: delaysUs.last ?? 0, &report)
    report.part = "tap"
    if whole { try tap(again, &report) }
    try again.finish()
  }

  private static func refuseNoise(_ daemon: Daemon, _ report: inout Report) throws {
    report.part = "noise"
    let lead = try leadUs(daemon)
    let noise = try calibrate(daemon, "LATE=noise", &report)
    report.check("refused", noise.code != 0 && noise.said.contains("no lead is to be had"), noise.said)
    report.check("nothing changed", try leadUs(daemon) == lead)
  }

  private static func start(_ name: String) throws -> Daemon {
    setenv("STATE_DIRECTORY", state, 1)
    defer { unsetenv("STATE_DIRECTORY") }
    return try Daemon(name, ["--device", device, "--period", "256"])
  }

  private static func leadUs(_ daemon: Daemon) throws -> Int64 { try daemon.status().audio.deviceLeadUs }

  // MARK: By listening

  private struct Answer: Decodable {
    struct Found: Decodable {
      var tried: Int
      var heard: Int
      var deviceLeadUs: Int64
      var spreadUs: Int64
    }

    var found: Found
    var saved: Bool
  }

  /// Each is found with that before in force.
  private static func find(_ delayUs: Int64, _ daemon: Daemon, _ report: inout Report) throws {
    report.part = milliseconds(delayUs)
    let tool = try calibrate(daemon, "LATE=sound LATE_MS=\(delayUs / 1_000)", &report)
    guard tool.code == 0 else { throw RigFailure("starlight calibrate ended with \(tool.code): \(tool.said)") }
    let answer = try decodeJSON(Answer.self, from: Array(tool.answer.utf8)[...])
    let found = answer.found
    report.check(
      "found to 1 ms", abs(found.deviceLeadUs - delayUs) <= 1_000 && found.heard == found.tried && answer.saved,
      "a lead of \(milliseconds(found.deviceLeadUs)), spread \(milliseconds(found.spreadUs)), "
        + "\(found.heard) of \(found.tried) chirps")
    report.check("in force", try leadUs(daemon) == found.deviceLeadUs)
  }

  private static func calibrate(
    _ daemon: Daemon, _ variables: String, _ report: inout Report
  ) throws -> (code: Int32, answer: String, said: String) {
    let name = Places.results + "/calibrate-" + report.part.split(separator: " ")[0]
    let tool = try ChildProcess(
      [
        "sh", "-c",
        "LD_PRELOAD=/lib/late.so \(variables) exec starlight --socket \(daemon.socketPath) calibrate "
          + "--capture hw:Loopback,1,0 --trials \(trials) --json --save >\(name).json",
      ], log: name + ".log")
    let code = tool.wait()
    return (code, readText(name + ".json"), readText(name + ".log"))
  }

  /// A daemon that is started anew tells it, and what it says to be heard leaves it so much earlier.
  private static func play(_ daemon: Daemon, delayUs: Int64, _ report: inout Report) throws {
    let lead = try leadUs(daemon)
    let hello = try daemon.connection.call(SessionHello.self, SessionHello.Params()).calibration
    let listed = try daemon.connection.call(DevicesList.self, Empty()).audio.deviceLeadUs
    let started = try daemon.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "drill"))
    report.check(
      "told",
      [hello.deviceLeadUs, listed, started.deviceLeadUs].allSatisfy { $0 == lead } && abs(lead - delayUs) <= 1_000,
      milliseconds(lead))
    let capturing = try Capturing("calibrate")
    var told: [Int64] = []
    for index in 0..<ClosedLoop.beats {
      let moment = started.startUs + RigPack.firstBeatUs + Int64(index) * RigPack.everyUs
      try daemon.listen(until: moment - 600_000)
      let params = SoundPlay.Params(sound: "tick", atUs: moment)
      told.append(try daemon.connection.call(SoundPlay.self, params).scheduledUs)
    }
    try daemon.listen(until: started.startUs + RigPack.firstBeatUs + Int64(ClosedLoop.beats) * RigPack.everyUs)
    let beats = try daemon.all(RhythmBeat.self).map(\.tUs)
    let spawns = try daemon.all(RhythmSpawn.self).map(\.payload.beatUs)
    try daemon.listen(until: started.endUs + 200_000)
    let sentUs = monotonicUs()
    let nowUs = try daemon.connection.call(SoundPlay.self, SoundPlay.Params(sound: "tick")).scheduledUs
    let ahead = nowUs - sentUs
    report.check("now is so much later", ahead > delayUs && ahead < delayUs + 30_000, milliseconds(ahead))
    told.append(nowUs)
    _ = try daemon.connection.call(MusicStop.self, MusicStop.Params(fadeUs: 0))
    try daemon.listen(until: nowUs + 200_000)
    let onsets = ClosedLoop.onsets(try capturing.finish())
    report.check(
      "beats and spawns are told for when they are heard", beats == Array(told.dropLast()) && spawns == beats,
      "\(beats.count) beats, \(spawns.count) spawns")
    // What leaves the card is heard when it came through what is behind it.
    let late = told.compactMap { told in ClosedLoop.nearest(onsets.map { $0 + delayUs }, told).map { $0 - told } }
    let distribution = Distribution(late)
    report.check(
      "heard as told", late.count == told.count && abs(distribution.worst) < 1_000 + LoopbackChecks.medianToleranceUs,
      "\(late.count) of \(told.count), \(distribution)")
  }

  // MARK: By tapping

  /// Somebody presses a key so long after each click that they hear.
  private static func tap(_ daemon: Daemon, _ report: inout Report) throws {
    let keys = Places.work + "/keys"
    mkfifo(keys, 0o600)
    let descriptor = open(keys, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let name = Places.results + "/calibrate-tap"
    let tool = try ChildProcess(
      [
        "sh", "-c",
        "exec starlight --socket \(daemon.socketPath) calibrate --tap --profile rig --trials \(trials + 6) --json --save "
          + "<\(keys) >\(name).json",
      ], log: name + ".log")
    let before = daemon.told.count
    var next = before
    while tool.isRunning {
      try daemon.listen(until: monotonicUs() + 5_000)
      while next < daemon.told.count {
        if let beat = try daemon.told[next].notification.tap {
          sleep(until: beat + tapUs)
          _ = write(descriptor, "\n", 1)
        }
        next += 1
      }
    }
    guard tool.wait() == 0 else { throw RigFailure("starlight calibrate --tap: \(readText(name + ".log"))") }
    let answer = try decodeJSON(TapAnswer.self, from: readFile(name + ".json")[...])
    report.check(
      "found", abs(answer.judgingOffsetUs - tapUs) <= tapToleranceUs && answer.saved,
      "\(milliseconds(answer.judgingOffsetUs)) of \(answer.taps) taps, spread \(milliseconds(answer.spreadUs))")
    let hello = try daemon.connection.call(SessionHello.self, SessionHello.Params()).calibration
    report.check("told", hello.profile == "rig" && hello.judgingOffsetUs == answer.judgingOffsetUs)
    // Judged by it, who taps as late is in the middle.
    let started = try daemon.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "drill"))
    let beat = started.startUs + RigPack.firstBeatUs
    try daemon.listen(until: beat + answer.judgingOffsetUs)
    let judged = try daemon.connection.call(
      RhythmTap.self, RhythmTap.Params(atUs: beat + answer.judgingOffsetUs))
    report.check("judged by", judged.verdict == .hit && judged.errorUs == 0, "\(judged.errorUs ?? -1) us")
    _ = try daemon.connection.call(RhythmStop.self, Empty())
  }

  private struct TapAnswer: Decodable {
    var judgingOffsetUs: Int64
    var spreadUs: Int64
    var taps: Int
    var saved: Bool
  }
}

extension ReceivedNotification {
  /// When the beat is heard that it tells of.
  fileprivate var tap: Int64? {
    get throws { method == RhythmBeat.name ? try decode(as: RhythmBeat.self).map { _ in tUs } : nil }
  }
}
