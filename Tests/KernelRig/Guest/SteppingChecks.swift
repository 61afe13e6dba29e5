// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A card whose least period is 512 frames, and whose position moves in steps of 4 ms that it does not tell of: the loopback. At the
/// defaults that is as much as is kept ahead where the clock wakes, so that it soon wakes by itself, and does so ever after.
enum SteppingChecks {
  private static let device = "hw:Loopback,0,0"
  private static let state = Places.work + "/stepping"

  static func run(_ report: inout Report) throws {
    setenv("STATE_DIRECTORY", state, 1)
    defer { unsetenv("STATE_DIRECTORY") }
    unlink(state + "/fills")
    let first = try play("stepping", stopUs: 40_000, &report)
    report.check(
      "it soon wakes by itself",
      first.message.contains("its position moves in steps") && first.xruns <= 2 && first.deviceLosses == 0,
      "\(first.xruns) xruns, let go \(first.deviceLosses) times: \(first.message)")
    let kept = readText(state + "/fills")
    let second = try play("stepping-again", stopUs: nil, &report)
    report.check(
      "it is remembered",
      second.periodFrames == CoarseChecks.leastPeriod && second.bufferFrames == 3 * CoarseChecks.leastPeriod
        && second.xruns == 0, "\(second.xruns) xruns: \(second.message); kept as \(kept)")
  }

  /// What is told before anything stops it; all that is played until it ends is held against what comes out.
  private static func play(_ name: String, stopUs: UInt32?, _ report: inout Report) throws -> Told {
    let capturing = try Capturing(name)
    let recording = Places.results + "/\(name).wav"
    let daemon = try CoarseCard(leastPeriod: CoarseChecks.leastPeriod).around {
      try Daemon(name, ["--device", device, "--record", recording])
    }
    usleep(700_000)
    let zeroUs = try daemon.now().nowUs + LoopbackChecks.aheadUs
    _ = try Part.music("night").play(on: daemon.connection, at: zeroUs)
    _ = try Part.sound("tick").play(on: daemon.connection, at: zeroUs + 300_000)
    try daemon.listen(until: zeroUs + 1_000_000)
    let audio = try daemon.status().audio
    if let stopUs {
      daemon.process.signal(SIGSTOP)
      usleep(stopUs)
      daemon.process.signal(SIGCONT)
    }
    try daemon.listen(until: zeroUs + 1_600_000)
    let clock = try daemon.now()
    let corrections = try daemon.all(TimelineCorrected.self).map(\.payload)
    let changes = try daemon.all(DevicesChanged.self).count
    try daemon.finish()
    let captured = try capturing.finish()
    let heard = try Comparison(recording: recording, clock: clock, corrections)
      .check(captured.sound, SampleLayout(), isCard: true, &report)
    let strays = captured.sound.strays(beside: heard)
    report.check("nothing else was heard", strays == 0, "\(strays) frames besides")
    report.note("late starts", "\(audio.lateStarts)")
    return Told(
      message: audio.message, xruns: Int(audio.xruns), deviceLosses: changes, periodFrames: audio.periodFrames,
      bufferFrames: audio.bufferFrames)
  }

  private struct Told {
    let message: String
    let xruns: Int
    let deviceLosses: Int
    let periodFrames: Int
    let bufferFrames: Int
  }
}
