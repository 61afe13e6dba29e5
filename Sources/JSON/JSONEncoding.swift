// SPDX-License-Identifier: Apache-2.0

/// What `Encodable` values write themselves into: one writer, whatever the number of containers.
final class JSONSink {
  /// What the value that is being written has become so far.
  enum Form {
    case nothing, object, array, scalar
  }

  var writer: JSONWriter
  var form = Form.nothing
  /// The members of the object being written are those from here on.
  private(set) var firstMember = 0
  /// Elements of the array being written.
  var elements = 0

  init(_ writer: JSONWriter) { self.writer = writer }

  /// Writes one value, as a member, an element or the outermost.
  @inline(__always)
  func write<Value: Encodable>(_ value: Value) throws {
    // Types are compared first: a cast of what is none of these would look through its conformances.
    if Value.self == String.self, let value = value as? String { return writer.write(value) }
    if Value.self == Int64.self, let value = value as? Int64 { return writer.write(value) }
    if Value.self == Int.self, let value = value as? Int { return writer.write(Int64(value)) }
    if Value.self == Double.self, let value = value as? Double { return try write(number: value) }
    if Value.self == Bool.self, let value = value as? Bool { return writer.copy(value ? "true" : "false") }
    if Value.self == Int32.self, let value = value as? Int32 { return writer.write(Int64(value)) }
    if Value.self == UInt32.self, let value = value as? UInt32 { return writer.write(Int64(value)) }
    if Value.self == UInt64.self, let value = value as? UInt64 { return writer.copy(String(value).utf8) }
    if Value.self == UInt8.self, let value = value as? UInt8 { return writer.write(Int64(value)) }
    if Value.self == Float.self, let value = value as? Float { return try write(number: Double(value)) }
    try writeWhole(value)
  }

  private func write(number value: Double) throws {
    if writer.write(value) { return }
    throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "JSON has no \(value)"))
  }

  private func writeWhole(_ value: some Encodable) throws {
    let outer = (form, firstMember, elements)
    (form, firstMember, elements) = (.nothing, writer.openMembers, 0)
    try value.encode(to: JSONEncoding(sink: self))
    switch form {
    // A type without members asks for no container.
    case .nothing: writer.copy("{}")
    case .object: writer.endObject(first: firstMember)
    case .array: writer.append(UInt8(ascii: "]"))
    case .scalar: break
    }
    (form, firstMember, elements) = outer
  }
}

/// A Swift `Encoder` into a sink. Superclasses and nested containers are not supported: a value written through them is
/// left out of the text.
private struct JSONEncoding: Encoder {
  let sink: JSONSink
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if sink.form == .nothing {
      sink.form = .object
      sink.writer.append(UInt8(ascii: "{"))
    }
    return KeyedEncodingContainer(Members(sink: sink))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if sink.form == .nothing {
      sink.form = .array
      sink.writer.append(UInt8(ascii: "["))
    }
    return Elements(sink: sink)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    sink.form = .scalar
    return Scalar(sink: sink)
  }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sink: JSONSink
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws {
    sink.writer.beginMember(key.stringValue, first: sink.firstMember)
    sink.writer.copy("null")
    sink.writer.endMember()
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    sink.writer.beginMember(key.stringValue, first: sink.firstMember)
    try sink.write(value)
    sink.writer.endMember()
  }

  // What almost all members are: compiled for each, where one for all would have to find out what it is given.

  func encode(_ value: String, forKey key: Key) throws {
    sink.writer.writeMember(key.stringValue, first: sink.firstMember) { $0.write(value) }
  }

  func encode(_ value: Int64, forKey key: Key) throws {
    sink.writer.writeMember(key.stringValue, first: sink.firstMember) { $0.write(value) }
  }

  func encode(_ value: Int, forKey key: Key) throws { try encode(Int64(value), forKey: key) }

  func encode(_ value: Bool, forKey key: Key) throws {
    sink.writer.writeMember(key.stringValue, first: sink.firstMember) { $0.copy(value ? "true" : "false") }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(Members<Nested>(sink: JSONSink(JSONWriter()))) }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    Elements(sink: JSONSink(JSONWriter()))
  }
  func superEncoder() -> any Encoder { JSONEncoding(sink: JSONSink(JSONWriter())) }
  func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

private struct Elements: UnkeyedEncodingContainer {
  let sink: JSONSink
  var codingPath: [any CodingKey] { [] }
  var count: Int { sink.elements }

  private func separate() {
    if sink.elements > 0 { sink.writer.append(UInt8(ascii: ",")) }
    sink.elements += 1
  }

  func encodeNil() throws {
    separate()
    sink.writer.copy("null")
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    separate()
    try sink.write(value)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(Members<Nested>(sink: JSONSink(JSONWriter())))
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { Elements(sink: JSONSink(JSONWriter())) }
  func superEncoder() -> any Encoder { JSONEncoding(sink: JSONSink(JSONWriter())) }
}

private struct Scalar: SingleValueEncodingContainer {
  let sink: JSONSink
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws { sink.writer.copy("null") }
  func encode<Value: Encodable>(_ value: Value) throws { try sink.write(value) }
}
