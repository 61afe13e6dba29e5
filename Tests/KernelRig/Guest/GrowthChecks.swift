// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A daemon whose device runs dry again and again takes longer periods, and knows in its next life.
enum GrowthChecks {
  static let device = "hw:Dummy,0,0"
  static let state = Places.work + "/state"

  static func run(_ report: inout Report) throws {
    setenv("STATE_DIRECTORY", state, 1)
    defer { unsetenv("STATE_DIRECTORY") }
    unlink(state + "/periods")
    let first = try Daemon("grown", ["--device", device])
    // Longer than the buffer of 128 x 3 lasts; five within ten seconds are too many.
    let before = try first.status().audio
    for _ in 0..<5 {
      usleep(150_000)
      first.process.signal(SIGSTOP)
      usleep(40_000)
      first.process.signal(SIGCONT)
    }
    try wait(upTo: 10, for: "a longer period") {
      let audio = try first.status().audio
      return audio.kind == "alsa" && audio.periodFrames >= 256
    }
    let grown = try first.status().audio
    try first.finish()
    let kept = readText(state + "/periods")
    report.check(
      "periods grow", grown.periodFrames >= 256 && grown.message.contains("longer because it ran dry"),
      "\(before.periodFrames) frames, after \(grown.xruns) xruns \(grown.periodFrames): \(grown.message)")

    let second = try Daemon("grown-again", ["--device", device])
    let remembered = try second.status().audio.periodFrames
    try second.finish()
    let isKept = kept.hasSuffix("\t\(device)\tDummy\tDummy\n") && kept.hasPrefix("\(remembered)\t")
    report.check(
      "the period is remembered", remembered >= grown.periodFrames && isKept, "\(remembered) frames, kept as \(kept)")

    let third = try Daemon("grown-not", ["--device", device, "--period", "128"])
    let configured = try third.status().audio.periodFrames
    try third.finish()
    report.check("a configured period goes first", configured == 128, "\(configured) frames")
  }
}
