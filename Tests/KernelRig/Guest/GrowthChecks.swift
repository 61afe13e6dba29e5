// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A daemon whose device runs dry keeps more of it filled, without opening it anew, and knows in its next life.
enum GrowthChecks {
  static let device = "hw:Dummy,0,0"
  static let state = Places.work + "/state"

  static func run(_ report: inout Report) throws {
    setenv("STATE_DIRECTORY", state, 1)
    defer { unsetenv("STATE_DIRECTORY") }
    unlink(state + "/fills")
    let first = try Daemon("grown", ["--device", device])
    let before = try first.status().audio
    try runDry(first)
    try wait(upTo: 10, for: "more to be kept ahead") {
      try first.status().audio.bufferFrames > before.bufferFrames
    }
    let inPlace = try first.status().audio
    report.check(
      "the fill grows in place",
      before.bufferFrames == 192 && inPlace.bufferFrames == 256 && inPlace.periodFrames == before.periodFrames
        && inPlace.xruns == 1,
      "\(before.bufferFrames) frames ahead, after \(inPlace.xruns) xruns \(inPlace.bufferFrames)")
    // Five within ten seconds are too many.
    for _ in 1..<5 { try runDry(first) }
    try wait(upTo: 10, for: "twice as much") {
      let audio = try first.status().audio
      return audio.kind.isHeard && audio.bufferFrames >= 1_024
    }
    let grown = try first.status().audio
    try first.finish()
    let kept = readText(state + "/fills")
    report.check(
      "a device that runs dry again and again is opened with more ahead", grown.message.contains("because it ran dry"),
      "after \(grown.xruns) xruns \(grown.bufferFrames): \(grown.message)")

    let second = try Daemon("grown-again", ["--device", device])
    let remembered = try second.status().audio.bufferFrames
    try second.finish()
    let isKept = kept.hasSuffix("\t\(device)\tDummy\tDummy\n") && kept.hasPrefix("\(remembered)\t")
    report.check(
      "the fill is remembered", remembered >= grown.bufferFrames && isKept, "\(remembered) frames, kept as \(kept)")

    let third = try Daemon("grown-not", ["--device", device, "--period", "128"])
    let configured = try third.status().audio.periodFrames
    try third.finish()
    report.check("a configured period goes first", configured == 128, "\(configured) frames")
  }

  /// Stops the daemon for longer than any fill here lasts, and waits until its device plays again.
  static func runDry(_ daemon: Daemon) throws {
    let xruns = try daemon.status().audio.xruns
    usleep(150_000)
    daemon.process.signal(SIGSTOP)
    usleep(40_000)
    daemon.process.signal(SIGCONT)
    try wait(upTo: 10, for: "the xrun") { try daemon.status().audio.xruns > xruns }
  }
}
