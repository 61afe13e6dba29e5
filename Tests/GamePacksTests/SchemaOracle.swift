// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A value of JSON.
indirect enum JSONThing: Decodable, Equatable {
  case object([String: JSONThing])
  case array([JSONThing])
  case text(String)
  case number(Double)
  case truth(Bool)
  case null

  init(_ text: String) throws { self = try JSONDecoder().decode(JSONThing.self, from: Data(text.utf8)) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .truth(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONThing].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONThing].self))
    }
  }

  /// As text; members that are numbers in the order of these, as grades must be.
  var text: String {
    switch self {
    case .object(let members):
      "{"
        + members.sorted { ($0.value.count ?? -1, $0.key) < ($1.value.count ?? -1, $1.key) }.map {
          "\"\($0.key)\": \($0.value.text)"
        }.joined(separator: ", ") + "}"
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .text(let text): "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    case .number(let number): number == number.rounded() && number.magnitude < 1e15 ? "\(Int64(number))" : "\(number)"
    case .truth(let truth): "\(truth)"
    case .null: "null"
    }
  }

  subscript(_ name: String) -> JSONThing? { if case .object(let members) = self { members[name] } else { nil } }

  fileprivate var count: Double? { if case .number(let number) = self { number } else { nil } }
  fileprivate var list: [JSONThing] { if case .array(let elements) = self { elements } else { [] } }
}

/// JSON Schema as draft 7 says it, of the words that ours use; any other word is refused.
final class SchemaOracle {
  private var patterns: [String: Regex<AnyRegexOutput>] = [:]

  struct UnknownWord: Error { var word: String }

  func accepts(_ value: JSONThing, by schema: JSONThing) throws -> Bool {
    guard case .object(let rules) = schema else { return schema != .truth(false) }
    for (word, rule) in rules where try !holds(word, rule, of: value, rules) { return false }
    return true
  }

  private func holds(_ word: String, _ rule: JSONThing, of value: JSONThing, _ rules: [String: JSONThing]) throws
    -> Bool
  {
    switch (word, value) {
    case ("$schema", _), ("title", _), ("description", _), ("default", _): return true
    case ("type", _): return (rule.list.isEmpty ? [rule] : rule.list).contains { isOfType(value, $0) }
    case ("enum", _): return rule.list.contains(value)
    case ("anyOf", _): return try rule.list.contains { try accepts(value, by: $0) }
    case ("minimum", .number(let number)): return number >= rule.count ?? 0
    case ("maximum", .number(let number)): return number <= rule.count ?? 0
    case ("minLength", .text(let text)): return Double(text.unicodeScalars.count) >= rule.count ?? 0
    case ("maxLength", .text(let text)): return Double(text.unicodeScalars.count) <= rule.count ?? 0
    case ("pattern", .text(let text)):
      guard case .text(let pattern) = rule else { return false }
      let regex = try patterns[pattern] ?? Regex(pattern)
      patterns[pattern] = regex
      return text.contains(regex)
    case ("items", .array(let elements)): return try elements.allSatisfy { try accepts($0, by: rule) }
    case ("minItems", .array(let elements)): return Double(elements.count) >= rule.count ?? 0
    case ("maxItems", .array(let elements)): return Double(elements.count) <= rule.count ?? 0
    case ("uniqueItems", .array(let elements)):
      return elements.indices.allSatisfy { !elements[..<$0].contains(elements[$0]) }
    case ("properties", .object(let members)):
      return try members.allSatisfy { name, member in try rule[name].map { try accepts(member, by: $0) } ?? true }
    case ("additionalProperties", .object(let members)):
      return try members.allSatisfy { try rules["properties"]?[$0] != nil || accepts($1, by: rule) }
    case ("required", .object(let members)):
      return rule.list.allSatisfy { if case .text(let name) = $0 { members[name] != nil } else { false } }
    case ("propertyNames", .object(let members)):
      return try members.keys.allSatisfy { try accepts(.text($0), by: rule) }
    case ("maxProperties", .object(let members)): return Double(members.count) <= rule.count ?? 0
    case ("minimum", _), ("maximum", _), ("minLength", _), ("maxLength", _), ("pattern", _), ("items", _),
      ("minItems", _),
      ("maxItems", _), ("uniqueItems", _), ("properties", _), ("additionalProperties", _), ("required", _),
      ("propertyNames", _), ("maxProperties", _):
      return true
    default: throw UnknownWord(word: word)
    }
  }

  private func isOfType(_ value: JSONThing, _ type: JSONThing) -> Bool {
    switch (value, type) {
    case (.object, .text("object")), (.array, .text("array")), (.text, .text("string")), (.number, .text("number")),
      (.truth, .text("boolean")), (.null, .text("null")):
      true
    case (.number(let number), .text("integer")): number == number.rounded()
    default: false
    }
  }
}
