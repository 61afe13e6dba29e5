// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// The daemon plays through a sound server on this machine, what its sink plays being captured to a file.
struct ServerChecks {
  let device: String
  /// Where the captured stereo floats go.
  let capture: String
  /// What the server has to say.
  let log: String

  func run(_ report: inout Report) throws {
    let before = readFile(capture).count
    let recording = Places.results + "/server.wav"
    let daemon = try Daemon("server", ["--device", device, "--record", recording])
    try wait(upTo: 10, for: "the sound server") { try daemon.status().audio.kind.isHeard }
    usleep(700_000)
    let opened = try daemon.status().audio
    let zeroUs = try daemon.now().nowUs + 500_000
    let standstills = try Standstills.watched {
      _ = try Performance.piece.play(on: daemon, zeroUs: zeroUs)
      try daemon.listen(until: zeroUs + 2_200_000)
    }
    let audio = try daemon.status().audio
    let clock = try daemon.now()
    // What was lost last is told a little later on a busy machine.
    try daemon.listen(until: clock.nowUs + 100_000)
    let corrections = try daemon.all(TimelineCorrected.self).map(\.payload)
    report.note("device", "\(audio.message), \(audio.xruns) xruns, scheduling \(audio.scheduling)")
    try daemon.finish()
    // Meanwhile nobody heard what was played, which nobody tells.
    let isHeld = audio.kind == opened.kind && audio.bufferFrames == opened.bufferFrames
    report.check("not opened anew with more ahead", isHeld, timed: true, "\(audio.xruns) xruns")
    guard isHeld else { return }
    let comparison = try Comparison(recording: recording, clock: clock, corrections)

    // What was heard last is on its way to the file still.
    var captured = captured(from: before)
    try? wait(upTo: 5, for: "the capture") {
      usleep(200_000)
      captured = self.captured(from: before)
      return captured.frames.suffix(4_800).allSatisfy { $0 == 0 }
    }
    let late = ServerLog(readText(log)).lateClients(in: zeroUs...clock.nowUs)
    for line in late { report.note("the server was late", line) }
    if let longest = standstills.max() {
      report.note("the machine stood still", "\(standstills.count) times, \(milliseconds(longest)) at most")
    }
    let isLate = !late.isEmpty || !standstills.isEmpty
    _ = comparison.check(captured, SampleLayout(), isCard: false, isLate: isLate, &report)
    _ = try comparison.checkOffline(Performance.piece, by: try OfflineRenderer(), &report)
  }

  /// What was captured after the first so many bytes: an earlier attempt played the same.
  private func captured(from start: Int) -> Sound {
    Sound(raw: Array(readFile(capture).dropFirst(start / 8 * 8)), layout: SampleLayout())
  }
}
