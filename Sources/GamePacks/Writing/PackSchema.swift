// SPDX-License-Identifier: Apache-2.0

import JSON

/// The JSON Schemas (draft 7, which editors know best) of a pack's files, made from the declarations that their reader checks by.
///
/// A schema knows the shape of a file alone: which name leads where, what is in order and what fits together only the reader
/// sees. Lengths it counts in characters, where the reader counts bytes.
public enum PackSchema: String, CaseIterable, Sendable {
  /// Of a `pack.json`.
  case pack
  /// Of a beat map in a file of its own.
  case beats

  /// What its file is called where it is installed.
  public var fileName: String { rawValue + ".schema.json" }

  /// The schema's text, with a line end.
  public var text: String {
    let (title, rule): (String, ObjectRule) =
      switch self {
      case .pack: ("A game pack of Starlight: pack.json", ObjectRule(PackManifest.Keys.self))
      case .beats: ("A beat map of a game pack of Starlight", ObjectRule(BeatMapFile.Keys.self))
      }
    let members: [SchemaNode.Member] = [
      ("$schema", .text("http://json-schema.org/draft-07/schema#")), ("title", .text(title)),
    ]
    return SchemaNode.object(members + SchemaNode.members(of: rule)).text(indent: 0) + "\n"
  }
}

/// A value of a schema, in the order in which it is written.
indirect enum SchemaNode {
  typealias Member = (name: String, value: SchemaNode)

  case text(String)
  /// As it is written.
  case raw(String)
  case list([SchemaNode])
  case object([Member])

  /// Laid out for people: a list of what is short stays on its line.
  func text(indent: Int) -> String {
    let space = String(repeating: " ", count: indent + 2)
    let end = "\n" + String(repeating: " ", count: indent)
    switch self {
    case .text(let text): return jsonString(text)
    case .raw(let text): return text
    case .list(let elements):
      let isFlat = elements.allSatisfy { if case .object = $0 { false } else { true } }
      if isFlat { return "[" + elements.map { $0.text(indent: indent) }.joined(separator: ", ") + "]" }
      return "[\n" + elements.map { space + $0.text(indent: indent + 2) }.joined(separator: ",\n") + end + "]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map { space + jsonString($0.name) + ": " + $0.value.text(indent: indent + 2) }
      return "{\n" + lines.joined(separator: ",\n") + end + "}"
    }
  }
}

extension SchemaNode {
  /// An object in any of its ways.
  static func members(of rule: ObjectRule) -> [Member] {
    if rule.variants.count == 1 { return members(of: rule.variants[0]) }
    return [("type", .text("object")), ("anyOf", .list(rule.variants.map { .object(members(of: $0)) }))]
  }

  private static func members(of variant: ObjectRule.Variant) -> [Member] {
    let properties = variant.fields.map { name, rule -> Member in
      var property = members(of: rule.value)
      // The reader takes null for what is left out, but not of what makes the object what it is.
      if !rule.isRequired, !variant.needsOne.contains(name) { property = orNull(property) }
      property.append(("description", .text(rule.about)))
      if let standard = rule.standard { property.append(("default", .raw(standard))) }
      return (name, .object(property))
    }
    var own: [Member] = [
      ("type", .text("object")), ("properties", .object(properties)), ("additionalProperties", .raw("false")),
    ]
    let required = variant.fields.filter(\.rule.isRequired).map { SchemaNode.text($0.name) }
    if !required.isEmpty { own.append(("required", .list(required))) }
    if !variant.needsOne.isEmpty {
      own.append(("anyOf", .list(variant.needsOne.map { .object([("required", .list([.text($0)]))]) })))
    }
    return own
  }

  private static func members(of rule: ValueRule) -> [Member] {
    switch rule {
    case .anyText, .reference: return [("type", .text("string"))]
    case .text: return [("type", .text("string")), ("minLength", .raw("1")), ("maxLength", .raw("200"))]
    case .packName: return name(most: longestPackName)
    case .laneName: return name(most: longestName)
    case .references(let most):
      let list: [Member] = [
        ("type", .text("array")), ("items", .object([("type", .text("string"))])), ("minItems", .raw("1")),
        ("maxItems", .raw("\(most)")), ("uniqueItems", .raw("true")),
      ]
      return [("anyOf", .list([.object([("type", .text("string"))]), .object(list)]))]
    case .fileName:
      // No part is empty, a dot or two, and no byte is a control character.
      let pattern = #"^(?!(.*/)?\.{0,2}(/|$))[^\u0000-\u001f\u007f]+$"#
      return [("type", .text("string")), ("maxLength", .raw("255")), ("pattern", .text(pattern))]
    case .truth: return [("type", .text("boolean"))]
    case .onlyTrue: return [("enum", .list([.raw("true")]))]
    case .number(let range), .seconds(let range, _): return numbers("number", range)
    case .whole: return numbers("integer", rule.range)
    case .span(let range):
      let list: [Member] = [
        ("type", .text("array")), ("items", .object(numbers("number", range))), ("minItems", .raw("2")),
        ("maxItems", .raw("2")),
      ]
      return [("anyOf", .list([.object(numbers("number", range)), .object(list)]))]
    case .choice(let words): return [("enum", .list(words.map(SchemaNode.text)))]
    case .object(let rule): return members(of: rule)
    case .named(let each, let most):
      var own: [Member] = [
        ("type", .text("object")), ("propertyNames", .object(name(most: longestName))),
        ("additionalProperties", .object(members(of: each))),
      ]
      if most < .max { own.append(("maxProperties", .raw("\(most)"))) }
      return own
    case .list(let each, let counts):
      var own: [Member] = [("type", .text("array")), ("items", .object(members(of: each)))]
      if counts.lowerBound > 0 { own.append(("minItems", .raw("\(counts.lowerBound)"))) }
      if counts.upperBound < .max { own.append(("maxItems", .raw("\(counts.upperBound)"))) }
      return own
    case .set(let each, let most):
      return [
        ("type", .text("array")), ("items", .object(members(of: each))), ("maxItems", .raw("\(most)")),
        ("uniqueItems", .raw("true")),
      ]
    case .anyOf(let rules): return [("anyOf", .list(rules.map { .object(members(of: $0)) }))]
    }
  }

  private static func name(most: Int) -> [Member] {
    [("type", .text("string")), ("pattern", .text("^[a-z0-9_-]{1,\(most)}$"))]
  }

  private static func numbers(_ type: String, _ range: ClosedRange<Double>) -> [Member] {
    [
      ("type", .text(type)), ("minimum", .raw(plain(range.lowerBound))), ("maximum", .raw(plain(range.upperBound))),
    ]
  }

  /// The same, or null.
  private static func orNull(_ members: [Member]) -> [Member] {
    var members = members
    for index in members.indices {
      switch (members[index].name, members[index].value) {
      case ("type", let type): members[index].value = .list([type, .text("null")])
      case ("enum", .list(let words)): members[index].value = .list(words + [.raw("null")])
      // Beside a type it is a choice of objects, which bind null to nothing that is asked of it.
      case ("anyOf", .list(let ways)): members[index].value = .list(ways + [.object([("type", .text("null"))])])
      default: break
      }
    }
    return members
  }
}
