// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// Whether what is kept ahead at the defaults holds as well as twice as much: ten minutes of each, a minute in turn, on a card
/// whose timer is exact and a processor that is wanted by others, while all is asked for that can be.
enum MarginChecks {
  private static let rounds = 10
  private static let minuteUs: Int64 = 60_000_000
  private static let turnUs: Int64 = 250_000

  /// What came of minutes with so much ahead.
  private struct Outcome {
    var xruns = 0
    var lateStarts = 0
    var periods = 0
    var processorNs: Int64 = 0
    var ahead = ""

    /// What is said of it.
    var summary: String {
      let perPeriod = Double(processorNs / 1_000) / Double(max(1, periods))
      return "\(ahead): \(xruns) xruns, \(lateStarts) late starts in \(periods) periods, "
        + "\(Double(Int(perPeriod * 10)) / 10) us of the processor each, \(processorNs / 1_000_000) ms in all"
    }
  }

  static func run(_ report: inout Report) throws {
    let busy = try (0..<2).map { _ in
      try ChildProcess(log: Places.results + "/margin-load.err", body: BindChecks.count)
    }
    defer { for process in busy { process.signal(SIGKILL) } }
    var (wide, narrow) = (Outcome(), Outcome())
    for round in 0..<rounds {
      try minute(["--period", "128"], "margin-wide-\(round)", &wide)
      try minute([], "margin-\(round)", &narrow)
    }
    report.note("twice as much ahead", wide.summary)
    report.check(
      "no more xruns than with twice as much ahead", narrow.periods > 0 && narrow.xruns <= wide.xruns, narrow.summary)
    report.check("none later than told", narrow.lateStarts == 0, "\(narrow.lateStarts)")
  }

  private static func minute(_ arguments: [String], _ name: String, _ outcome: inout Outcome) throws {
    let daemon = try Daemon.atDefaults(name, arguments)
    usleep(700_000)
    guard let thread = daemon.process.thread(named: "audio") else { throw RigFailure("no audio thread") }
    let before = try daemon.status().audio
    let usedBefore = processorNs(daemon.process, thread)
    let endUs = monotonicUs() + minuteUs
    var everything = Everything()
    var turn = 0
    while monotonicUs() < endUs {
      let atUs = try daemon.now().nowUs + 100_000
      _ = try Part.music(turn % 2 == 0 ? "night" : "day", crossfadeUs: 200_000).play(on: daemon.connection, at: atUs)
      try everything.play(turn: turn, on: daemon.connection, at: atUs + 50_000)
      turn += 1
      try daemon.listen(until: atUs + turnUs - 100_000)
    }
    let after = try daemon.status().audio
    outcome.xruns += after.xruns - before.xruns
    outcome.lateStarts += after.lateStarts - before.lateStarts
    outcome.periods += Int(after.framesRendered - before.framesRendered) / after.periodFrames
    outcome.processorNs += processorNs(daemon.process, thread) - usedBefore
    outcome.ahead = "\(after.bufferFrames) frames ahead in periods of \(after.periodFrames)"
    try daemon.finish()
  }

  /// What a thread has used of the processor.
  private static func processorNs(_ process: ChildProcess, _ thread: Int) -> Int64 {
    readText("/proc/\(process.pid)/task/\(thread)/schedstat").split(separator: " ").first.flatMap { Int64($0) } ?? 0
  }
}
