// SPDX-License-Identifier: Apache-2.0

/// What JSON a type reads, as learned from its own `Decodable.init`.
public indirect enum Schema: Equatable, Sendable {
  /// Whatever it is; also what is not known.
  case any
  /// `true` or `false`.
  case boolean
  /// A whole number.
  case integer
  /// Any number.
  case number
  /// Any text.
  case string
  /// A string out of a fixed list.
  case choice([String])
  /// Any number of elements of one schema.
  case array(Schema)
  /// Members by name, in the order the type reads them.
  case object([Field])

  /// One member of an object.
  public struct Field: Equatable, Sendable {
    /// As it is spelled in JSON.
    public var name: String
    /// What its value is.
    public var schema: Schema
    /// Whether reading fails without it.
    public var isRequired: Bool

    /// A member of that name, required unless told otherwise.
    public init(_ name: String, _ schema: Schema, required: Bool = true) {
      self.name = name
      self.schema = schema
      self.isRequired = required
    }
  }

  /// Members of the JSON Schema of fields by their path, such as `points[].value`.
  typealias Facts = [String: [String: JSONValue]]

  /// The fields of an object; none for anything else.
  public var fields: [Field] {
    if case .object(let fields) = self { fields } else { [] }
  }

  /// What stands at `path`, as far as it is known.
  public func at(_ path: some Sequence<any CodingKey>) -> Schema {
    var schema = self
    for key in path {
      switch schema {
      case .array(let element): schema = element
      case .object(let fields): schema = fields.first { $0.name == key.stringValue }?.schema ?? .any
      default: return .any
      }
    }
    return schema
  }

  /// What is expected, for people.
  public var expectation: String {
    switch self {
    case .any: "any value"
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .number: "a number"
    case .string: "a string"
    case .choice(let names): "one of " + names.joined(separator: ", ")
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The same as JSON Schema (draft 7).
  public var jsonSchema: JSONValue { jsonSchema(of: "", [:]) }

  /// As JSON Schema, with the members that `facts` has for the fields at or below `path`.
  func jsonSchema(of path: String, _ facts: Facts) -> JSONValue {
    switch self {
    case .any: .object([:])
    case .boolean: .object(["type": .string("boolean")])
    case .integer: .object(["type": .string("integer")])
    case .number: .object(["type": .string("number")])
    case .string: .object(["type": .string("string")])
    case .choice(let names): .object(["type": .string("string"), "enum": .array(names.map(JSONValue.string))])
    case .array(let element): .object(["type": .string("array"), "items": element.jsonSchema(of: path + "[]", facts)])
    case .object(let fields):
      .object([
        "type": .string("object"),
        "properties": .object(
          Dictionary(fields.map { ($0.name, $0.jsonSchema(in: path, facts)) }) { first, _ in first }),
        "required": .array(fields.filter(\.isRequired).map { .string($0.name) }),
      ])
    }
  }
}

extension Schema.Field {
  /// The field's schema with what `facts` has for it; instants and durations say their unit.
  func jsonSchema(in parent: String, _ facts: Schema.Facts) -> JSONValue {
    let path = parent.isEmpty ? name : parent + "." + name
    let described = schema.jsonSchema(of: path, facts)
    guard case .object(var members) = described else { return described }
    if schema == .integer, name.hasSuffix("Us") { members["description"] = .string("microseconds") }
    members.merge(facts[path] ?? [:]) { _, fact in fact }
    return .object(members)
  }
}
