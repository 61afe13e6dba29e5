// SPDX-License-Identifier: Apache-2.0

/// What is said of a finished level.
public enum CompletionWord: String, Equatable, Sendable, CaseIterable {
  case clean = "CLEAN"
  case fresh = "FRESH"
  case dope = "DOPE"
  case nice = "NICE"

  /// A word by chance for such a flight, never `last`: what that would have had goes to the others by their weights.
  public static func drawn(
    flips: Int, parFlips: Int, crossings: Int, last: CompletionWord?, rules: WordRules,
    using chance: inout some RandomNumberGenerator
  ) -> CompletionWord {
    let weights = weights(flips: flips, parFlips: parFlips, crossings: crossings, rules: rules)
      .filter { $0.word != last && $0.weight > 0 }
    let whole = weights.reduce(0) { $0 + $1.weight }
    guard whole > 0 else { return last == .clean ? .fresh : .clean }
    var drawn = Int.random(in: 0..<whole, using: &chance)
    for (word, weight) in weights {
      if drawn < weight { return word }
      drawn -= weight
    }
    return .clean
  }

  private static func weights(
    flips: Int, parFlips: Int, crossings: Int, rules: WordRules
  ) -> [(word: CompletionWord, weight: Int)] {
    if flips <= parFlips {
      return [(.fresh, rules.freshWithinPar), (.clean, Units.percent - rules.freshWithinPar)]
    }
    if crossings > rules.tangleCrossings {
      return [(.dope, rules.dopeOfTangle), (.clean, Units.percent - rules.dopeOfTangle)]
    }
    return [
      (.clean, rules.cleanOtherwise), (.fresh, rules.freshOtherwise), (.dope, rules.dopeOtherwise),
      (.nice, rules.niceOtherwise),
    ]
  }
}
