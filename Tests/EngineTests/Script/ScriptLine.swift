// SPDX-License-Identifier: Apache-2.0

/// A line of what is asked: `1000  near = play other at 1090 fade 50`, or `1000  cancel near, refused as notRunning`.
struct ScriptLine {
  /// When, in microseconds from the fixture's start.
  var us: Int64
  /// What it gives a name to, for later lines.
  var name: String?
  /// Its words: the verb, and what it acts on.
  private(set) var words: [Substring]
  /// The kind of refusal that is to answer it.
  var refusal: String?
  /// As it is written.
  let text: String

  /// The lines of a text; empty ones are left out.
  static func lines(of text: String) -> [ScriptLine] {
    text.split(separator: "\n").filter { !$0.allSatisfy { $0 == " " } }.map(ScriptLine.init)
  }

  init(_ line: Substring) {
    text = String(line)
    let halves = line.split(separator: ", refused as ")
    refusal = halves.count > 1 ? String(halves[1]) : nil
    words = halves[0].split(separator: " ")
    us = Self.microseconds(words.removeFirst())
    if words.count > 1, words[1] == "=" {
      name = String(words[0])
      words.removeFirst(2)
    }
  }

  /// The next word.
  mutating func word() -> String {
    guard !words.isEmpty else { preconditionFailure("a word is missing in \"\(text)\"") }
    return String(words.removeFirst())
  }

  /// Whether the next word is this one, which is then taken.
  mutating func takes(_ word: String) -> Bool {
    guard words.first.map(String.init) == word else { return false }
    words.removeFirst()
    return true
  }

  /// The milliseconds behind a word, in microseconds, where it is there.
  mutating func us(after word: String) -> Int64? { number(after: word).map { Int64(($0 * 1_000).rounded()) } }

  /// The number behind a word, where it is there.
  mutating func number(after word: String) -> Double? {
    guard let place = words.firstIndex(of: word[...]), place + 1 < words.count, let number = Double(words[place + 1])
    else { return nil }
    words.removeSubrange(place...place + 1)
    return number
  }

  /// The word behind a word, where it is there.
  mutating func word(after word: String) -> String? {
    guard let place = words.firstIndex(of: word[...]), place + 1 < words.count else { return nil }
    let found = String(words[place + 1])
    words.removeSubrange(place...place + 1)
    return found
  }

  /// Whether this word is there; it is taken.
  mutating func has(_ word: String) -> Bool {
    guard let place = words.firstIndex(of: word[...]) else { return false }
    words.remove(at: place)
    return true
  }

  /// Of a line in which every word was understood.
  func end() { precondition(words.isEmpty, "not understood in \"\(text)\": \(words.joined(separator: " "))") }

  private static func microseconds(_ word: Substring) -> Int64 {
    guard let milliseconds = Double(word) else { preconditionFailure("\(word) is no time in milliseconds") }
    return Int64((milliseconds * 1_000).rounded())
  }
}
