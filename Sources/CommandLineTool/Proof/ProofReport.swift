// SPDX-License-Identifier: Apache-2.0

/// A proof with what it was made on: all that its page, its table and its JSON show.
struct ProofReport: Encodable, Equatable {
  /// What the machine and the daemon are, each a name and a value.
  struct Fact: Encodable, Equatable {
    var name: String
    var value: String
    /// What it does not see; nil where nothing was measured.
    var unseen: String?
  }

  /// A sentence that says whether the figure holds.
  struct Conclusion: Encodable, Equatable {
    enum Outcome: String, Encodable { case holds, fails, open }

    var outcome: Outcome
    var sentence: String
  }

  var proof: Proof
  /// The daemon's own figures, in its words.
  var reported: [Fact]
  var facts: [Fact]
  var conclusions: [Conclusion]

  init(_ proof: Proof, reported: [Fact], facts: [Fact]) {
    self.proof = proof
    self.reported = reported
    self.facts = facts
    conclusions = Self.judge(proof)
  }

  /// From action to sound, within which a player takes them for one.
  static let soundLimitUs: Int64 = 10_000
  /// Between sound and touch, likewise (Adelstein and others, "Sensitivity to haptic-audio asynchrony", ICMI 2003).
  static let touchLimitUs: Int64 = 24_000

  private static func judge(_ proof: Proof) -> [Conclusion] {
    var conclusions: [Conclusion] = []
    if let row = proof.row(.commandToSound) {
      conclusions.append(
        verdict(
          row, of: proof, limitUs: soundLimitUs, "from the command to the sound",
          than: "10 ms, which a player takes for at once"))
    }
    for (what, of) in [
      (Proof.What.soundToTouch, "between sound and touch, fired now"),
      (.beatToTouch, "between sound and touch, asked for at a beat"),
    ] {
      guard let row = proof.row(what) else { continue }
      conclusions.append(
        verdict(row, of: proof, limitUs: touchLimitUs, of, than: "24 ms, below which nobody tells them apart"))
    }
    let felt = (proof.row(.soundToTouch)?.valuesUs.count ?? 0) + (proof.row(.beatToTouch)?.valuesUs.count ?? 0)
    if felt < proof.touched {
      conclusions.append(
        Conclusion(outcome: .open, sentence: "Of \(proof.touched) taps that were to be felt \(felt) were found"))
    }
    if let row = proof.row(.toldToHeard) {
      conclusions.append(
        verdict(
          row, of: proof, limitUs: ProofPack.windowUs, "between what is told and what is heard",
          than: "a hit window of \(milliseconds(ProofPack.windowUs, places: 0)): who taps to what is heard hits"))
    }
    return conclusions
  }

  /// By the highest quantile that the row has, else by its largest.
  private static func verdict(_ row: Proof.Row, of proof: Proof, limitUs: Int64, _ what: String, than limit: String)
    -> Conclusion
  {
    guard let statistics = Statistics(row.valuesUs.map(abs)) else {
      return Conclusion(outcome: .open, sentence: "Nothing was measured \(what)")
    }
    let isMany = statistics.count >= Statistics.leastForP99
    let most = isMany ? statistics.p99 : statistics.most
    let share = isMany ? "99 of 100" : "All \(statistics.count)"
    if abs(most - limitUs) <= proof.captureErrorUs {
      return Conclusion(
        outcome: .open,
        sentence: "\(share) within \(milliseconds(most)) \(what), and the capture's clock is within "
          + "\(milliseconds(proof.captureErrorUs)) only: whether that is less than \(limit), cannot be told")
    }
    let holds = most <= limitUs
    return Conclusion(
      outcome: holds ? .holds : .fails,
      sentence: "\(share) within \(milliseconds(most)) \(what): \(holds ? "less" : "more") than \(limit)")
  }
}
