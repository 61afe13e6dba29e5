// SPDX-License-Identifier: Apache-2.0

/// The names most like `name` among `candidates`, best first: at most `limit`, none that is wholly different.
///
/// Likeness is the edit distance with transposition (Damerau 1964, optimal string alignment), case ignored; a prefix
/// or a part of the name counts as close. A short name must be nearer: one edit up to three letters, two up to six, else
/// a third of its length.
///
/// Most candidates are of another length, which costs nothing; of the others so many are compared as `maximumComparison` allows,
/// in their order.
public func nearest(to name: String, among candidates: some Sequence<String>, limit: Int = 3) -> [String] {
  let wanted = Letters(name)
  let allowed = wanted.count <= 3 ? 1 : max(2, wanted.count / 3)
  // What was cut is longer than it looks, and so in nothing.
  let isWhole = name.utf8.count <= maximumNameLength && wanted.count >= 3
  var scored: [(score: Int, name: String)] = []
  var compared = 0
  for candidate in candidates where compared < maximumComparison {
    let length = min(candidate.utf8.count, maximumNameLength)
    let mayContain = isWhole && length >= wanted.count
    let mayBeNear = abs(length - wanted.count) <= allowed
    guard mayContain || mayBeNear else { continue }
    compared += length
    let (distance, isPart) = wanted.compared(with: candidate)
    let score = mayContain && isPart ? 1 : distance
    if score <= allowed { scored.append((score, candidate)) }
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

/// Longer names are compared by their beginning, in bytes: hostile input must not cost quadratic time, what people take for one
/// character may have any number of them, and so many fit a word of the machine.
private let maximumNameLength = 64

/// Letters that are compared with one name, a millisecond or so: all of 4,096 names, as many as a pack may have of a kind.
private let maximumComparison = 4_096 * maximumNameLength

/// The beginning of a name as a set of places for each letter, by which a whole column of the table of distances is a few operations
/// on words (Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances").
private struct Letters {
  let count: Int
  private var places = [UInt64](repeating: 0, count: 256)

  init(_ name: String) {
    let letters = name.utf8.prefix(maximumNameLength)
    count = letters.count
    for (place, letter) in letters.enumerated() { places[Int(small(letter))] |= 1 << UInt64(place) }
  }

  /// How many edits another's beginning is away, and whether it has this in it.
  func compared(with other: String) -> (distance: Int, isPart: Bool) {
    var other = other
    return other.withUTF8 { compared(with: $0.prefix(maximumNameLength)) }
  }

  private func compared(with other: Slice<UnsafeBufferPointer<UInt8>>) -> (distance: Int, isPart: Bool) {
    guard count > 0 else { return (other.count, true) }
    let last: UInt64 = 1 << UInt64(count - 1)
    var distance = count
    var isPart = false
    // Where a column rises and falls by one from place to place, where it equals the one before along the diagonal, and where what
    // was read so far ends as this begins.
    var (rises, falls, equals, begun): (UInt64, UInt64, UInt64, UInt64) = (.max, 0, 0, 0)
    var before: UInt64 = 0
    for letter in other {
      let here = places[Int(small(letter))]
      let swapped = ((~equals & here) << 1) & before
      equals = (((here & rises) &+ rises) ^ rises) | here | falls | swapped
      let (more, less) = (falls | ~(equals | rises), equals & rises)
      if more & last != 0 { distance += 1 }
      if less & last != 0 { distance -= 1 }
      let shifted = more << 1 | 1
      (rises, falls) = (less << 1 | ~(equals | shifted), equals & shifted)
      before = here
      begun = (begun << 1 | 1) & here
      if begun & last != 0 { isPart = true }
    }
    return (distance, isPart)
  }
}

/// A letter in small: of ASCII, for names that can be typed have no others.
private func small(_ letter: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? letter | 0x20 : letter
}
