// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What was checked: one line each, told when its scenario is over.
struct Report {
  private(set) var failures = 0
  /// Scenarios whose only fault was that the machine was late, where that is forgiven.
  private(set) var lateScenarios = 0
  private var scenario = ""
  /// What of the scenario is being checked, where it has several parts.
  var part = ""
  private var lines: [String] = []
  /// Checks that failed, and whether a busy machine may be why.
  private var failed: [(name: String, isTimed: Bool)] = []
  /// Whether a scenario whose only fault is to be late is to be tried again, and has not failed: not in the guest, whose
  /// time is its processor's own.
  private let forgivesLateness: Bool

  init(forgivesLateness: Bool = false) { self.forgivesLateness = forgivesLateness }

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
    let startUs = monotonicUs()
    (scenario, part, lines, failed) = (name, "", [], [])
    do { try body(&self) } catch { check("ran", false, "\(error)") }
    if forgivesLateness, !failed.isEmpty, failed.allSatisfy(\.isTimed) {
      lateScenarios += 1
      lines = lines.map { $0.hasPrefix("FAILED ") ? "late " + $0.dropFirst("FAILED ".count) : $0 }
    } else {
      failures += failed.count
    }
    for line in lines { say(line) }
    let tenths = (monotonicUs() - startUs + 50_000) / 100_000
    say("time \(name): \(tenths / 10).\(tenths % 10) s")
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
