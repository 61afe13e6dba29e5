// SPDX-License-Identifier: Apache-2.0

import JSON
import Suggestions

extension AHAPReader {
  /// The number at `index`, or nil where there is none.
  mutating func number(_ index: Int, _ key: StaticString) -> Double? {
    switch tape.nodes[index].kind {
    case .number: return tape.number(at: index)
    case .true, .false:
      let value = tape.nodes[index].kind == .true ? 1.0 : 0.0
      edits.numbers[index] = value
      findings.add(
        .note, "boolean-for-number", at: tape.offset(of: index), "\(key) is a number, not true or false",
        apple: "takes true for 1 and false for 0", fix: "write \(decimal(value))", isFixable: true)
      return value
    case .null:
      noteNull(index, key)
      return nil
    default:
      noteWrongType(index, "\(key)", wanted: "a number")
      return nil
    }
  }

  /// The number at `index`, clamped to `range`.
  mutating func number(_ index: Int, _ key: StaticString, in range: ClosedRange<Double>) -> Double? {
    guard let value = number(index, key) else { return nil }
    if range.contains(value) { return value }
    let clamped = min(max(value, range.lowerBound), range.upperBound)
    edits.numbers[index] = clamped
    let bounds = "\(decimal(range.lowerBound)) to \(decimal(range.upperBound))"
    if value.isInfinite {
      findings.add(
        .error, "number-too-large", at: tape.offset(of: index),
        "\(key) is larger than any number can be; it is \(bounds)",
        apple: "refuses the file", fix: "write \(decimal(clamped))", isFixable: true)
    } else {
      findings.add(
        .warning, "out-of-range", at: tape.offset(of: index),
        "\(key) \(tape.excerpt(at: index)) is outside \(bounds); \(decimal(clamped)) is used",
        // A day is the longest that Starlight plays; Core Haptics is not known to have such a limit.
        apple: value > AHAPLimits.time && clamped == AHAPLimits.time ? "" : "clamps it to \(decimal(clamped))",
        fix: "write \(decimal(clamped))", isFixable: true)
    }
    return clamped
  }

  /// Whether there is no value: one of a wrong type is a finding of its own already.
  func isMissing(_ index: Int?) -> Bool { index.map { tape.nodes[$0].kind == .null } ?? true }

  /// The string at `index`, or nil where there is none, or one longer than anything it could name.
  mutating func string(
    _ index: Int, _ key: StaticString, atMost longest: Int = AHAPLimits.nameBytes
  ) -> String? {
    switch tape.nodes[index].kind {
    case .string:
      if Int(tape.nodes[index].end - tape.nodes[index].start) <= longest { return tape.string(at: index) }
      findings.add(
        .error, "too-long", at: tape.offset(of: index), "\(key) has more than \(longest) bytes; it is left out",
        apple: "", fix: "shorten it")
    case .null: noteNull(index, key)
    default: noteWrongType(index, "\(key)", wanted: "a string")
    }
    return nil
  }

  /// The truth at `index`, also written as a number; nil where there is none.
  mutating func boolean(_ index: Int, _ key: StaticString) -> Bool? {
    switch tape.nodes[index].kind {
    case .true: return true
    case .false: return false
    case .number: return tape.number(at: index) != 0
    case .null: noteNull(index, key)
    default: noteWrongType(index, "\(key)", wanted: "true or false")
    }
    return nil
  }

  /// Whether there is an object at `index`, which `what` is.
  mutating func isObject(_ index: Int, _ what: @autoclosure () -> String) -> Bool {
    if tape.nodes[index].kind == .object { return true }
    noteWrongType(index, what(), wanted: "an object")
    return false
  }

  /// The elements of the array at `index` that are objects.
  mutating func objects(_ index: Int, _ key: StaticString) -> [Int] {
    switch tape.nodes[index].kind {
    case .array: break
    case .null:
      noteNull(index, key)
      return []
    default:
      noteWrongType(index, "\(key)", wanted: "an array")
      return []
    }
    var objects: [Int] = []
    for element in tape.elements(of: index) where isObject(element, "an element of \(key)") { objects.append(element) }
    return objects
  }

  mutating func noteNull(_ index: Int, _ key: StaticString) {
    findings.add(
      .note, "null-value", at: tape.offset(of: index), "\(key) is null, as if it were not there",
      apple: "takes the default",
      fix: "remove the key")
  }

  mutating func noteWrongType(_ index: Int, _ what: String, wanted: String) {
    findings.add(
      .error, "wrong-type", at: tape.offset(of: index),
      "\(what) is \(tape.noun(at: index)), not \(wanted); it is left out",
      apple: "does not document what it does; expect the file to be refused", fix: "write \(wanted)")
  }

  mutating func noteUnknown(_ key: Int, among known: [String]) {
    if findings.isOnlyCounted(.warning) { return }
    let name = tape.string(at: key)
    let hint = didYouMean(name, among: known)
    findings.add(
      .warning, "unknown-key", at: tape.offset(of: key), "the key \(tape.excerpt(at: key)) means nothing here" + hint,
      apple: "ignores it", fix: hint.isEmpty ? "remove it" : "correct its name, or remove it")
  }
}

/// A number as AHAP files have it: shortest decimal, with a point. Rounded to a millionth, finer than anything felt, so
/// that sums do not show the dust of binary fractions. What is no number is written as 0.
package func decimal(_ value: Double) -> String {
  let scaled = (value * 1e6).rounded()
  let rounded = scaled == 0 || !scaled.isFinite ? 0 : scaled / 1e6
  return "\(rounded)"
}
