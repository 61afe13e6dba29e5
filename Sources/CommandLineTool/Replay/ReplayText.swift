// SPDX-License-Identifier: Apache-2.0

import Host
import Problems
import Wire

/// What came of a run that was done again, for people and for machines.
struct ReplayText {
  /// As JSON.
  struct Report: Encodable, Equatable {
    /// Whether all that was compared is the same.
    var same: Bool
    /// How far it went: `whole`, `cut`, `truncated` or `stopped`.
    var end: String
    var reason: String?
    var seconds: Int
    var hapticSteps: Int
    var verdicts: Int
    var otherSecond: Int64?
    var otherFeltUs: Int64?
    var otherVerdictUs: Int64?
    /// What was to be written of it and is not whole.
    var problems: [Problem]?
    /// By other rules, where those were given.
    var rejudged: [RejudgedRun]?
  }

  let report: Report
  let lines: [String]

  init(_ outcome: ReplayOutcome) {
    let (end, reason, said): (String, String?, String?) =
      switch outcome.end {
      case .whole: ("whole", nil, nil)
      case .cut: ("cut", nil, "The journal breaks off: its daemon was killed, or runs still. As far as it goes:")
      case .truncated:
        ("truncated", nil, "The journal was as long as it may be before its run was over. As far as it goes:")
      case .stopped(let reason):
        ("stopped", reason, "At \(outcome.lastUs) us it cannot be done on: \(reason).")
      }
    report = Report(
      same: outcome.isSame, end: end, reason: reason, seconds: outcome.seconds, hapticSteps: outcome.steps,
      verdicts: outcome.verdicts, otherSecond: outcome.otherSecond, otherFeltUs: outcome.otherFeltUs,
      otherVerdictUs: outcome.otherVerdictUs, problems: outcome.unwritten.isEmpty ? nil : outcome.unwritten,
      rejudged: outcome.rejudged.isEmpty ? nil : outcome.rejudged)
    var lines: [String] = []
    if let version = outcome.otherVersion {
      lines.append("It was written by version \(version), and this is \(starlightVersion).")
    }
    if let said { lines.append(said) }
    lines.append(
      "samples: "
        + Self.compared(
          count(outcome.seconds, "second") + " with sound",
          outcome.otherSecond.map { "not the same from second \($0) of the output on" }))
    lines.append(
      outcome.hasHapticLog
        ? "haptic log: "
          + Self.compared(count(outcome.steps, "step"), outcome.otherFeltUs.map { "not the same from \($0) us on" })
        : "haptic log: there was none")
    lines.append(
      "chapters: "
        + Self.compared(
          count(outcome.verdicts, "verdict or notice", plural: "verdicts and notices"),
          outcome.otherVerdictUs.map { "not the same from \($0) us on" }))
    lines.append(outcome.isSame ? "It is the same again." : "It is not the same again.")
    lines += outcome.unwritten.map(\.description)
    for (index, run) in outcome.rejudged.enumerated() {
      lines.append("run \(index + 1): \(run.was.text)")
      lines.append("  by these rules: \(run.isNow.text)")
    }
    self.lines = lines
  }

  private static func compared(_ what: String, _ other: String?) -> String { what + ", " + (other ?? "all the same") }
}

extension RejudgedScore {
  fileprivate var text: String {
    let error = medianErrorUs.map { ", \($0) us in the middle" } ?? ""
    return "\(count(hits, "hit"))\(error), \(count(misses, "miss", plural: "misses")), \(voided) void, "
      + count(ghosts, "ghost")
  }
}
