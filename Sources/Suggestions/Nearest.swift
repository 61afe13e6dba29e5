// SPDX-License-Identifier: Apache-2.0

/// The names most like `name` among `candidates`, best first: at most `limit`, none that is wholly different.
///
/// Likeness is the edit distance with transposition (Damerau 1964, optimal string alignment), case ignored; a prefix
/// or a part of the name counts as close. A short name must be nearer: one edit up to three letters, two up to six, else
/// a third of its length.
///
/// Most candidates are of another length, which costs nothing; of the others so many are compared as `maximumComparison` allows,
/// in their order, and each only as far as it may be among the nearest.
public func nearest(to name: String, among candidates: some Sequence<String>, limit: Int = 3) -> [String] {
  let wanted = folded(name)
  var allowed = wanted.count <= 3 ? 1 : max(2, wanted.count / 3)
  // What was cut is longer than it looks, and so in nothing.
  let isWhole = name.utf8.count <= maximumNameLength && wanted.count >= 3
  var scored: [(score: Int, name: String)] = []
  /// The scores of the nearest so far.
  var best: [Int] = []
  var compared = 0
  var rows = Rows()
  for candidate in candidates where compared < maximumComparison {
    let length = min(candidate.utf8.count, maximumNameLength)
    let mayContain = isWhole && length >= wanted.count
    let mayBeNear = abs(length - wanted.count) <= allowed
    guard mayContain || mayBeNear else { continue }
    let other = folded(candidate)
    compared += length
    var score: Int?
    if mayContain, contains(other, wanted) {
      score = 1
    } else if mayBeNear {
      compared += length * (2 * allowed + 1)
      score = rows.editDistance(wanted, other, atMost: allowed)
    }
    guard let score else { continue }
    scored.append((score, candidate))
    best = (best + [score]).sorted().dropLast(best.count < limit ? 0 : 1)
    if best.count == limit, let worst = best.last { allowed = min(allowed, worst) }
  }
  return scored.sorted { ($0.score, $0.name) < ($1.score, $1.name) }.prefix(limit).map(\.name)
}

/// "; did you mean a?", "; did you mean a or b?", or nothing when no candidate is near: to be put behind a message.
public func didYouMean(_ name: String, among candidates: some Sequence<String>) -> String {
  didYouMean(oneOf: nearest(to: name, among: candidates))
}

/// The same of names that are known to be near.
public func didYouMean(oneOf near: [String]) -> String {
  guard let last = near.last else { return "" }
  let rest = near.dropLast()
  return "; did you mean " + (rest.isEmpty ? last : rest.joined(separator: ", ") + " or " + last) + "?"
}

/// Longer names are compared by their beginning, in bytes: hostile input must not cost quadratic time, and what people
/// take for one character may have any number of them.
private let maximumNameLength = 64

/// Pairs of letters that are compared for one name: a millisecond or so.
private let maximumComparison = 400_000

/// The beginning of a name in small letters: of ASCII, for names that can be typed have no others.
private func folded(_ name: String) -> [UInt8] {
  name.utf8.prefix(maximumNameLength).map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

private func contains(_ whole: [UInt8], _ part: [UInt8]) -> Bool {
  guard whole.count >= part.count else { return false }
  return (0...(whole.count - part.count)).contains { whole[$0...].starts(with: part) }
}

/// What a comparison needs, kept from one to the next.
private struct Rows {
  private var beforePrevious: [Int] = []
  private var previous: [Int] = []
  private var current: [Int] = []

  /// Nil where it is more than `most`: what is farther from the diagonal than that is not looked at (Ukkonen 1985).
  mutating func editDistance(_ a: [UInt8], _ b: [UInt8], atMost most: Int) -> Int? {
    let far = most + 1
    if abs(a.count - b.count) > most { return nil }
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    previous = (0...b.count).map { min($0, far) }
    beforePrevious = previous
    current = previous
    for i in 1...a.count {
      let (low, high) = (max(1, i - most), min(b.count, i + most))
      current[low - 1] = low == 1 ? min(i, far) : far
      if high == i + most { previous[high] = far }
      var least = current[low - 1]
      for j in low...high {
        let substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var best = min(substitution, previous[j] + 1, current[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, beforePrevious[j - 2] + 1) }
        current[j] = best
        least = min(least, best)
      }
      if least > most { return nil }
      (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[b.count] <= most ? previous[b.count] : nil
  }
}
