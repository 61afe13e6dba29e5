// SPDX-License-Identifier: Apache-2.0

struct DemoReport: Codable, Equatable {
  var chapter = ""
  var beatsTold = 0
  var spawns = 0
  var hits = 0
  var misses = 0
  var ghosts = 0
  var assisted = false
  /// The beat, counted from 0, for which the window is to be widened.
  var assistDue = 0
  /// Tap minus beat of every hit that was meant to be near.
  var tapErrorsUs: [Int64] = []
  /// Tap minus beat of every hit that was wide on purpose.
  var wideErrorsUs: [Int64] = []
  /// Arrival minus instant of every `rhythm.beat`.
  var beatLatenessUs: [Int64] = []
  var levels = 0
  /// What of the cues that end it was skipped, and why.
  var skipped: [String] = []
  /// How often the music fell silent because the daemon was not in time, and came back.
  var silences = 0
  var readyUs: Int64 = 0
  var xruns = 0
  var peak = 0.0
  var peakResidentBytes: Int64 = 0
  var cpuUs: Int64 = 0
  var uptimeUs: Int64 = 0
  var daemonEnd = ""
  var files: [File] = []
  /// What went wrong; empty when nothing that matters did.
  var failures: [String] = []

  struct File: Codable, Equatable {
    var path: String
    var bytes: Int64
    var holds: String
  }

  /// What must have happened for the demo to have shown anything.
  mutating func judge(interrupted: Bool) {
    if interrupted { return }
    if beatsTold == 0 { failures.append("no beat was told of") }
    if spawns == 0 { failures.append("no beat came into sight") }
    if beatsTold > 6, hits == 0 { failures.append("not one tap was a hit") }
    if beatsTold > assistDue, !assisted { failures.append("the window was not widened after the misses") }
    if beatsTold > 6, levels == 0 { failures.append("no haptic level was told of") }
    for part in skipped { failures.append("the finale was not as it should be: \(part)") }
    for file in files where file.bytes <= 44 && (file.path.hasSuffix(".wav") || beatsTold > 6) {
      failures.append("\(file.path) is empty")
    }
    if daemonEnd != DaemonProcess.End.exited(0).text { failures.append("starlightd ended with \(daemonEnd)") }
  }

  /// The summary for people.
  func lines(style: Style, width: Int = .max) -> [String] {
    var rows: [[String]] = [
      [
        "beats",
        "\(beatsTold): \(tallyText(hits: hits, misses: misses, ghosts: ghosts)), "
          + "windows \(assisted ? "widened" : "not widened")",
      ]
    ]
    if let taps = Statistics(tapErrorsUs) {
      let mean = signedMilliseconds(Int64(taps.mean.rounded()))
      let deviation = milliseconds(Int64(taps.standardDeviation.rounded()))
      rows.append(["taps", "mean error \(mean), standard deviation \(deviation) over \(count(taps.count, "near tap"))"])
    }
    if !wideErrorsUs.isEmpty {
      let errors = wideErrorsUs.map { signedMilliseconds($0) }.joined(separator: ", ")
      rows.append(["", "wide on purpose, yet hits in the widened window: \(errors)"])
    }
    if let late = Statistics(beatLatenessUs) {
      rows.append([
        "told",
        "beats arrived \(milliseconds(late.most, places: 2)) after their instant at most, "
          + "\(milliseconds(Int64(late.mean.rounded()), places: 2)) on average",
      ])
    }
    // Over less than a second the share is only that of starting up.
    let share = uptimeUs < 1_000_000 ? "" : " (\(fixed(Double(cpuUs) / Double(uptimeUs) * 100, 1)) % of a core)"
    rows += [
      [
        "audio",
        "\(count(xruns, "xrun")), peak \(fixed(peak, 2)) \(peak > 1 ? "before the limiter" : "of 1")"
          + (silences == 0 ? "" : "; the music fell silent \(count(silences, "time")), as this machine was too busy"),
      ],
      [
        "daemon",
        "ready in \(milliseconds(readyUs, places: 0)), peak memory \(size(peakResidentBytes)), "
          + "\(length(cpuUs)) of processor time\(share), \(daemonEnd)",
      ],
    ]
    rows += headed("written", files.map { "\($0.path) (\(size($0.bytes))): \($0.holds)" })
    var lines = ["", style.paint("Summary", .bold)] + columns(rows, indent: 2, width: width)
    for failure in failures { lines.append("  " + style.paint("FAILED: \(failure)", .bad)) }
    return lines
  }

  /// What to try after the demo, the programs as they are to be typed.
  static func next(daemon: String, tool: String, recording: String) -> [[String]] {
    [
      ["\(daemon) --pack starlight-sync", "in one terminal, and in another:"],
      ["\(tool) rhythm play firewall", "play it yourself, with the arrow keys"],
      ["\(tool) audition heartbeat", "see a haptic pattern as it plays"],
      ["\(tool) watch", "everything the daemon tells, as it happens"],
      ["\(tool) latency", "how fast command, sound and event are here"],
      ["aplay \(recording)", "hear what was played"],
    ]
  }
}
