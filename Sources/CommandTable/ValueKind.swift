// SPDX-License-Identifier: Apache-2.0

/// What an option takes, from which come its parsing, its place in the help and its completion.
public enum ValueKind: Sendable, Equatable {
  /// Nothing: it is there or not.
  case flag
  /// Any text.
  case text
  /// The path of a file or folder.
  case path
  /// A whole number in a range.
  case integer(ClosedRange<Int>)
  /// A decimal number in a range.
  case number(ClosedRange<Double>)
  /// A length of time in a range of seconds: seconds, or with a unit (`250ms`, `1.5s`, `2m`).
  case duration(ClosedRange<Double>)
  /// One of some words.
  case choice([String])

  /// What is wanted, for messages: "a number from 0 to 4".
  public var description: String {
    switch self {
    case .flag: "no value"
    case .text: "a text"
    case .path: "a path"
    case .integer(let range):
      range.upperBound == .max
        ? "a whole number, \(range.lowerBound) or more"
        : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      range.upperBound == .infinity
        ? "a number, \(plain(range.lowerBound)) or more"
        : "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))"
    case .duration(let range):
      "a time in seconds" + (span.map { " (\($0))" } ?? "") + ", such as "
        + (range.contains(1.5) ? "1.5 or 250ms" : "\(plain(range.lowerBound))s")
    case .choice(let words): listed(words)
    }
  }
}

extension ValueKind {
  /// The values that a number can have, for the help: "0 to 4"; nil where 0 is the only end, or there is no number.
  var span: String? {
    switch self {
    case .flag, .text, .path, .choice: nil
    case .integer(let range):
      range.upperBound == .max
        ? atLeast(Double(range.lowerBound), "") : "\(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      range.upperBound == .infinity
        ? atLeast(range.lowerBound, "") : "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
    case .duration(let range):
      range.upperBound == .infinity
        ? atLeast(range.lowerBound, " s") : "\(plain(range.lowerBound)) to \(plain(range.upperBound)) s"
    }
  }

  private func atLeast(_ lowest: Double, _ unit: String) -> String? {
    lowest == 0 ? nil : "\(plain(lowest))\(unit) or more"
  }
}

/// A value as parsed.
enum ParsedValue: Sendable, Equatable {
  case flag
  case text(String)
  case integer(Int)
  case number(Double)
}

extension ValueKind {
  /// `text` as a value of this kind, or nil when it is none.
  func parse(_ text: String) -> ParsedValue? {
    switch self {
    case .flag: return nil
    case .text: return .text(text)
    case .path: return text.isEmpty ? nil : .text(text)
    case .integer(let range):
      guard let value = Int(text), range.contains(value) else { return nil }
      return .integer(value)
    case .number(let range):
      guard let value = decimal(text), range.contains(value) else { return nil }
      return .number(value)
    case .duration(let range):
      guard let value = seconds(text), range.contains(value) else { return nil }
      return .number(value)
    case .choice(let words): return words.contains(text) ? .text(text) : nil
    }
  }
}

/// A finite decimal number; neither hexadecimal nor a name such as `nan`, which `Double` would accept.
func decimal(_ text: some StringProtocol) -> Double? {
  guard text.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }),
    let value = Double(text), value.isFinite
  else { return nil }
  return value
}

private func seconds(_ text: String) -> Double? {
  let units: [(String, Double)] = [("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("s", 1), ("m", 60), ("h", 3600)]
  let unit = units.first { text.hasSuffix($0.0) }
  guard let value = decimal(text.dropLast(unit?.0.count ?? 0)), value >= 0 else { return nil }
  return value * (unit?.1 ?? 1)
}

/// A number without a needless ".0".
public func plain(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
}

/// "a", "a or b", "a, b or c".
func listed(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
