// SPDX-License-Identifier: Apache-2.0

extension Schema {
  /// The schema of what `type` decodes: its `init(from:)` is run on a decoder that notes every question asked.
  ///
  /// Optional fields are those asked for with `decodeIfPresent`. A type that cannot be run this way gives `any`.
  public init<Value: Decodable>(of type: Value.Type) { self = record(type).schema }
}

/// Runs `type.init(from:)`; the value is whatever the made-up answers gave, nothing when it refused them.
private func record<Value: Decodable>(_ type: Value.Type) -> (schema: Schema, value: Value?) {
  if type == JSONValue.self { return (.any, JSONValue.null as? Value) }
  if type == JSONText.self { return (.any, JSONText(.null) as? Value) }
  if type == Bool.self { return (.boolean, false as? Value) }
  if type == String.self { return (.string, "" as? Value) }
  if let whole = type as? any FixedWidthInteger.Type { return (.integer, whole.zero as? Value) }
  if let number = type as? any BinaryFloatingPoint.Type { return (.number, number.zero as? Value) }
  if let choice = type as? any (CaseIterable & RawRepresentable).Type, let names = names(of: choice) {
    return (.choice(names), first(of: choice) as? Value)
  }
  let notes = Notes()
  let value = try? Value(from: SchemaRecorder(notes: notes))
  return (value == nil ? .any : notes.schema, value)
}

private func names<Choice: CaseIterable & RawRepresentable>(of type: Choice.Type) -> [String]? {
  let names = type.allCases.compactMap { $0.rawValue as? String }
  return names.isEmpty ? nil : names
}

private func first<Choice: CaseIterable>(of type: Choice.Type) -> Choice? { type.allCases.first { _ in true } }

private func record<Value: Decodable>(_ type: Value.Type, into note: (Schema) -> Void) throws -> Value {
  let (schema, value) = record(type)
  note(schema)
  guard let value else {
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(type) has no made-up value"))
  }
  return value
}

/// What one decoder was asked.
private final class Notes {
  var schema = Schema.object([])
  var optionalField: String?

  func add(_ field: Schema.Field) { schema = .object(schema.fields + [field]) }
}

private struct SchemaRecorder: Decoder {
  let notes: Notes
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed(notes: notes))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    notes.schema = .array(.any)
    return Unkeyed(notes: notes)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(notes: notes) }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let notes: Notes
  let codingPath: [any CodingKey] = []
  let allKeys: [Key] = []

  /// Asked first by `decodeIfPresent`, and only by it: what comes next is optional.
  func contains(_ key: Key) -> Bool {
    notes.optionalField = key.stringValue
    return true
  }

  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let name = key.stringValue
    let required = notes.optionalField != name
    return try record(type) { notes.add(Schema.Field(name, $0, required: required)) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw unsupported() }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw unsupported() }
  func superDecoder() throws -> any Decoder { throw unsupported() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw unsupported() }
}

/// Pretends to hold one element.
private struct Unkeyed: UnkeyedDecodingContainer {
  let notes: Notes
  let codingPath: [any CodingKey] = []
  let count: Int? = nil
  var currentIndex = 0
  var isAtEnd: Bool { currentIndex > 0 }

  init(notes: Notes) { self.notes = notes }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    currentIndex += 1
    return try record(type) { notes.schema = .array($0) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { throw unsupported() }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported() }
  mutating func superDecoder() throws -> any Decoder { throw unsupported() }
}

private struct Single: SingleValueDecodingContainer {
  let notes: Notes
  let codingPath: [any CodingKey] = []

  func decodeNil() -> Bool { false }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try record(type) { notes.schema = $0 } }
}

private func unsupported() -> DecodingError {
  .dataCorrupted(.init(codingPath: [], debugDescription: "nested containers are not recorded"))
}
