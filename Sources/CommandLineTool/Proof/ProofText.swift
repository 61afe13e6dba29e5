// SPDX-License-Identifier: Apache-2.0

/// A proof as a table for the terminal.
func proofLines(_ report: ProofReport, width: Int = .max) -> [String] {
  let proof = report.proof
  var rows = [
    ["", "median".rightAligned(9), "p99".rightAligned(9), "max".rightAligned(9), "count".rightAligned(6), "", ""]
  ]
  for row in proof.rows {
    guard let statistics = row.statistics else { continue }
    let figures = shownFigures(statistics).map { ($0.map { milliseconds($0, places: 2) } ?? "-").rightAligned(9) }
    rows.append(
      [row.what.title] + figures + [String(statistics.count).rightAligned(6), row.origin, row.from])
  }
  var said = report.conclusions.map { "\($0.outcome.word): \($0.sentence)." }
  if let drift = proof.driftPPM {
    said.append("Drift of what is heard against what is told: \(fixed(drift, 1)) us a second.")
  }
  said.append(
    "The capture's clock: within \(milliseconds(proof.captureErrorUs, places: 2)), "
      + "\(count(proof.captureLosses, "loss", plural: "losses")); heard \(proof.heard) of \(proof.tried) chirps.")
  said += report.reported.map { "Reported by starlightd: \($0.name) \($0.value)." }
  said += proof.rows.map { "Not seen of \($0.what.title): \($0.unseen)." }
  said += report.reported.compactMap { fact in
    fact.unseen.map { "Not seen where it is reported that \(fact.name): \($0)." }
  }
  return columns(rows, width: width) + [""] + said.flatMap { hanging($0, indent: 2, width: width) }
}

/// Median, 99th percentile and the largest: what has too few samples beyond it is left out.
func shownFigures(_ statistics: Statistics) -> [Int64?] {
  [
    statistics.count >= Statistics.leastForMedian ? statistics.median : nil,
    statistics.count >= Statistics.leastForP99 ? statistics.p99 : nil, statistics.most,
  ]
}

extension Proof.What {
  /// For people.
  var title: String {
    switch self {
    case .commandToSound: "command to sound"
    case .toldToHeard: "told to heard"
    case .beatHeardToRead: "beat heard to read"
    case .soundToTouch: "sound to touch"
    case .beatToTouch: "beat to touch"
    case .tapToVerdict: "tap to verdict"
    }
  }
}

extension ProofReport.Conclusion.Outcome {
  /// For people.
  var word: String {
    switch self {
    case .holds: "Holds"
    case .fails: "Does not hold"
    case .open: "Open"
    }
  }
}
