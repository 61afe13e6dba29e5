// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What was checked: one line each, told when its scenario is over.
struct Report {
  private(set) var failures = 0
  /// Checks that only came too late, in every try: told, and a failure where they are more than a slow machine explains.
  private var late = 0
  private static let mostLate = 24
  private var scenario = ""
  /// What of the scenario is being checked, where it has several parts.
  var part = ""
  private var lines: [String] = []
  /// Checks that failed, and whether a busy machine may be why.
  private var failed: [(name: String, isTimed: Bool)] = []

  /// How often a scenario is tried whose only fault is to be late: the machine that emulates may be busy.
  static let attempts = 3

  /// A check: `ok` or `FAILED`, with what was measured. One that is `timed` depends on being scheduled in time.
  mutating func check(_ name: String, _ holds: Bool, timed: Bool = false, _ detail: String = "") {
    if !holds { failed.append((name, timed)) }
    lines.append("\(holds ? "ok" : "FAILED") \(place)/\(name)\(detail.isEmpty ? "" : ": " + detail)")
  }

  /// A figure that is told, not judged.
  mutating func note(_ name: String, _ text: String) { lines.append("note \(place)/\(name): \(text)") }

  private var place: String { part.isEmpty ? scenario : scenario + "/" + part }

  /// Runs a scenario; what it throws is a failure.
  mutating func run(_ name: String, _ body: (inout Report) throws -> Void) {
    (scenario, part) = (name, "")
    (lines, failed) = ([], [])
    let startUs = monotonicUs()
    attempt { report in
      do {
        try body(&report)
      } catch {
        report.check("ran", false, "\(error)")
      }
    }
    failures += failed.count
    for line in lines { say(line) }
    let tenths = (monotonicUs() - startUs + 50_000) / 100_000
    say("time \(name): \(tenths / 10).\(tenths % 10) s")
  }

  /// Does a part of a scenario that stands for itself: where its only fault is to be late, it is done anew.
  mutating func attempt(_ body: (inout Report) throws -> Void) rethrows {
    let (line, failure, part) = (lines.count, failed.count, part)
    for attempt in 1...Self.attempts {
      try body(&self)
      guard failed.count > failure, failed[failure...].allSatisfy(\.isTimed) else { return }
      if attempt == Self.attempts {
        // Enough: what it is part of is not done anew for it.
        late += failed.count - failure
        if late > Self.mostLate {
          for index in failed.indices[failure...] { failed[index].isTimed = false }
          return
        }
        failed.removeSubrange(failure...)
        for index in lines.indices[line...] where lines[index].hasPrefix("FAILED") {
          lines[index] = "LATE" + lines[index].dropFirst("FAILED".count)
        }
        return
      }
      let details = lines[line...].filter { $0.hasPrefix("FAILED") }.map { $0.dropFirst("FAILED ".count) }
      say("late \(details.joined(separator: "; "))")
      lines.removeSubrange(line...)
      failed.removeSubrange(failure...)
      self.part = part
    }
  }

  private func say(_ text: String) {
    var line = text.replacing("\n", with: " ") + "\n"
    _ = line.withUTF8 { write(1, $0.baseAddress, $0.count) }
  }
}

/// What kept a scenario from running.
struct RigFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Microseconds as milliseconds with two decimals.
func milliseconds(_ microseconds: Int64) -> String {
  let hundredths = (abs(microseconds) + 5) / 10
  let text = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) ms"
  return microseconds < 0 && hundredths > 0 ? "-" + text : text
}
