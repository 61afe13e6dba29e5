// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON

/// What to do about a value that is not what a pack has there.
extension PackFile {
  /// A rule's example with what stands at `index` in it, where it has a place.
  func writing(_ rule: ValueRule, inPlaceOf index: Int) -> String {
    // A list of one is meant as that one.
    let isOne = tape.nodes[index].kind == .array && tape.nodes[index].count == 1
    guard let written = Written(tape, isOne ? index + 1 : index) else { return "write it as in \(rule.example)" }
    let example = rule.example(holding: written)
    return (Self.stands(written.text, in: example) ? "write " : "write it as in ") + example
  }

  /// A field's name in place of another, with its value where that is of the wrong kind for it.
  func writing(_ key: some PackKey, inPlaceOf index: Int) -> String {
    let rule = key.rule.value
    guard let written = Written(tape, index) else { return "write \(key.stringValue)" }
    let example = rule.example(holding: written)
    guard example != written.text, Self.stands(written.text, in: example) else { return "write \(key.stringValue)" }
    return "write \"\(key.stringValue)\": \(example)"
  }

  /// Whether a text is part of an example.
  private static func stands(_ text: String, in example: String) -> Bool {
    example.indices.contains { example[$0...].hasPrefix(text) }
  }

  func adviceOnText(at index: Int) -> String {
    switch tape.nodes[index].kind {
    case .array, .object:
      let first = tape.nodes.indices.first { place in
        place > index && place < Int(tape.nodes[index].next) && tape.nodes[place].kind == .string
          && (tape.nodes[index].kind == .array || place > index + 1)
      }
      guard let first, let written = Written(tape, first) else { return "put it in double quotes" }
      return tape.nodes[index].kind == .array
        ? "write \(written.text), without brackets"
        : "write \(written.text); what else is to be said of it stands beside it"
    default: return Written(tape, index).map { "put it in double quotes: \"\($0.text)\"" } ?? "put it in double quotes"
    }
  }

  func adviceOnNumber(at index: Int, in range: ClosedRange<Double>, unit: String) -> String {
    let plainly = "write a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))\(unit), without quotes"
    guard tape.nodes[index].kind == .string, let written = Written(tape, index)?.text.dropFirst().dropLast() else {
      return plainly
    }
    let digits = written.prefix { "+-.0123456789".contains($0) }
    guard let value = Double(digits) else { return plainly }
    let meant =
      switch written.dropFirst(digits.count).filter({ $0 != " " }) {
      case "": value
      case "s" where unit == " s": value
      case "ms" where unit == " s": value / 1_000
      case "%" where unit.isEmpty: value / 100
      default: Double.nan
      }
    return range.contains(meant) ? "write \(plain(meant)), without quotes" : plainly
  }

  /// What was most likely meant by a number outside its range, where another unit would explain it.
  func advice(on value: Double, at index: Int, in range: ClosedRange<Double>, unit: String) -> String? {
    if unit == " s" { return value > range.upperBound && range.contains(value / 1_000) ? Self.inSeconds(value) : nil }
    guard tape.path(to: index).last(where: { $0.intValue == nil })?.stringValue == "gain" else { return nil }
    let linear = (pow(10, value / 20) * 1_000).rounded() / 1_000
    return value < 0 && range.contains(linear)
      ? "gains are linear, 1 as recorded: if \(plain(value)) dB was meant, write \(plain(linear))" : nil
  }

  /// What was meant by seconds that are far too many.
  static func inSeconds(_ value: Double) -> String {
    "times are in seconds: if \(plain(value)) ms was meant, write \(plain(value / 1_000))"
  }
}
