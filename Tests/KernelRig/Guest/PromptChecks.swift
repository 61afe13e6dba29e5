// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// How soon a sound, a cue and a track are heard that are asked for now, at the defaults, on a card whose timer is exact and on the
/// clock alone: from before the line is written to the instant that its reply tells, which the closed loop compares with what is
/// captured.
enum PromptChecks {
  static let parts = 500
  static let medianUs: Int64 = 6_000
  static let rarelyUs: Int64 = 10_000
  /// Until a track that was cut is gone, and one of two voices free for the next.
  static let cutUs: Int64 = 15_000

  static func run(_ report: inout Report) throws {
    for (name, device) in [("card", "hw:Dummy,0,0"), ("clock", "none")] {
      report.part = name
      try run(on: try Daemon.atDefaults("prompt-" + name, device: device), &report)
    }
  }

  private static func run(on daemon: Daemon, _ report: inout Report) throws {
    usleep(700_000)
    let asked: [(what: String, waits: [Int64])] = [
      ("sound", try waits(on: daemon, parts) { _ in .sound("tick") }),
      ("cue", try waits(on: daemon, parts) { _ in .cue("strike") }),
      ("music", try waits(on: daemon, parts, apart: cutUs) { .music($0 % 2 == 0 ? "night" : "day") }),
    ]
    let audio = try daemon.status().audio
    try daemon.finish()
    let ahead = "\(audio.bufferFrames) frames ahead in periods of \(audio.periodFrames)"
    for (what, waits) in asked {
      let (median, rarely) = (waits[parts / 2], waits[parts * 99 / 100])
      report.check(
        "from command to \(what)", median <= medianUs && rarely <= rarelyUs,
        "of \(parts): median \(milliseconds(median)), 99 of 100 within \(milliseconds(rarely)), "
          + "longest \(milliseconds(waits[parts - 1])); \(ahead)")
    }
    report.check("none later than told", audio.lateStarts == 0, "\(audio.lateStarts) of \(asked.count * parts)")
    report.check("no xruns", audio.xruns == 0, "\(audio.xruns)")
  }

  /// How long each of so many parts takes from before its line is written to the instant that is told, the quickest first.
  static func waits(
    on daemon: Daemon, _ parts: Int, apart: Int64 = 0, _ part: (Int) -> Part
  ) throws -> [Int64] {
    try (0..<parts).map { index in
      // Odd gaps, so that the lines come at all phases of a period.
      try daemon.listen(until: monotonicUs() + 3_000 + apart + Int64(index * 7_919 % 5_003))
      let sentUs = monotonicUs()
      return try part(index).play(on: daemon.connection, at: nil) - sentUs
    }.sorted()
  }
}
