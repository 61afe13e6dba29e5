// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// How soon what is asked for now is heard, at the defaults, on a card whose timer is exact: from before the line is written
/// to the instant that its reply tells, which the closed loop compares with what is captured.
enum PromptChecks {
  static let sounds = 500
  static let medianUs: Int64 = 6_000
  static let rarelyUs: Int64 = 10_000

  static func run(_ report: inout Report) throws {
    let state = Places.work + "/prompt"
    setenv("STATE_DIRECTORY", state, 1)
    defer { unsetenv("STATE_DIRECTORY") }
    unlink(state + "/fills")
    let daemon = try Daemon("prompt", ["--device", "hw:Dummy,0,0"])
    usleep(700_000)
    var waits: [Int64] = []
    for index in 0..<sounds {
      // Odd gaps, so that the lines come at all phases of a period.
      try daemon.listen(until: monotonicUs() + 3_000 + Int64(index * 7_919 % 5_003))
      let sent = monotonicUs()
      waits.append(try Part.sound("tick").play(on: daemon.connection, at: nil) - sent)
    }
    let audio = try daemon.status().audio
    try daemon.finish()
    waits.sort()
    let (median, rarely) = (waits[sounds / 2], waits[sounds * 99 / 100])
    report.check(
      "from command to sound", median <= medianUs && rarely <= rarelyUs,
      "of \(sounds): median \(milliseconds(median)), 99 of 100 within \(milliseconds(rarely)), "
        + "longest \(milliseconds(waits[sounds - 1])); \(audio.bufferFrames) frames ahead in periods of \(audio.periodFrames)"
    )
    report.note("late starts", "\(audio.lateStarts) of \(sounds)")
    report.check("no xruns", audio.xruns == 0, "\(audio.xruns)")
  }
}
