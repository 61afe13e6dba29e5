// SPDX-License-Identifier: Apache-2.0

/// A value on a tape, as a Swift `Decoder`: `Decodable` types read themselves from it without a copy of the text.
///
/// Null is no value of any type but an optional. A text with half of a surrogate pair, a number that no `Double` can hold
/// and a whole number written with a fraction are refused. What is decoded with superclasses or nested containers is not
/// supported: it throws; nor are whole numbers of other sizes than 8 (unsigned), 32 and 64 bits.
public struct JSONDecoding: Decoder {
  /// The tape, in one place however many containers look at it.
  final class Source: Sendable {
    let tape: JSONTape

    init(_ tape: JSONTape) { self.tape = tape }
  }

  let source: Source
  /// The value's index on its tape.
  public let index: Int

  /// The tape it is on.
  public var tape: JSONTape { source.tape }
  /// Where the value is in the text; found only when asked for.
  public var codingPath: [any CodingKey] { source.tape.path(to: index) }
  /// Nothing.
  public var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The value at `index` of `tape`; its outermost one without an index.
  public init(_ tape: JSONTape, at index: Int = 0) {
    source = Source(tape)
    self.index = index
  }

  init(_ source: Source, at index: Int) {
    self.source = source
    self.index = index
  }

  /// The value as a `type`; throws what its `init(from:)` throws, a `DecodingError` most of all.
  public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(at: index) }

  /// The members of an object.
  public func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard source.tape.nodes[index].kind == .object else { throw mismatch([String: Any].self, at: index) }
    return KeyedDecodingContainer(KeyedValues(decoding: self))
  }

  /// The elements of an array.
  public func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard source.tape.nodes[index].kind == .array else { throw mismatch([Any].self, at: index) }
    return ListedValues(decoding: self)
  }

  /// The value itself.
  public func singleValueContainer() -> any SingleValueDecodingContainer { SingleValue(decoding: self) }

  /// The value at `index`: what JSON has itself is read straight from the text.
  @inline(__always)
  func value<Value: Decodable>(at index: Int) throws -> Value {
    if Value.self == Int64.self, let value = try integer(Int64.self, at: index) as? Value { return value }
    if Value.self == Int.self, let value = try integer(Int.self, at: index) as? Value { return value }
    if Value.self == String.self, let value = try string(at: index) as? Value { return value }
    if Value.self == Double.self, let value = try number(at: index) as? Value { return value }
    if Value.self == Bool.self, let value = try truth(at: index) as? Value { return value }
    if Value.self == Int32.self, let value = try integer(Int32.self, at: index) as? Value { return value }
    if Value.self == UInt32.self, let value = try integer(UInt32.self, at: index) as? Value { return value }
    if Value.self == UInt64.self, let value = try integer(UInt64.self, at: index) as? Value { return value }
    if Value.self == UInt8.self, let value = try integer(UInt8.self, at: index) as? Value { return value }
    if Value.self == Float.self, let value = Float(try number(at: index)) as? Value { return value }
    return try Value(from: JSONDecoding(source, at: index))
  }

  private func integer<Whole: FixedWidthInteger>(_ type: Whole.Type, at index: Int) throws -> Whole? {
    guard source.tape.nodes[index].kind == .number else { throw mismatch(type, at: index) }
    guard let value = source.tape.integer(at: index), let whole = Whole(exactly: value) else {
      throw unreadable("no whole number that fits \(type)", at: index)
    }
    return whole
  }

  private func number(at index: Int) throws -> Double {
    guard source.tape.nodes[index].kind == .number else { throw mismatch(Double.self, at: index) }
    let value = source.tape.number(at: index)
    guard value.isFinite else { throw unreadable("larger than any number can be", at: index) }
    return value
  }

  private func string(at index: Int) throws -> String {
    guard source.tape.nodes[index].kind == .string else { throw mismatch(String.self, at: index) }
    if source.tape.hasHalfSurrogate(at: index) { throw unreadable("half of a surrogate pair", at: index) }
    return source.tape.string(at: index)
  }

  private func truth(at index: Int) throws -> Bool {
    switch source.tape.nodes[index].kind {
    case .true: return true
    case .false: return false
    default: throw mismatch(Bool.self, at: index)
    }
  }

  func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
    let found = "found \(tape.noun(at: index))"
    let context = DecodingError.Context(codingPath: tape.path(to: index), debugDescription: found)
    return tape.nodes[index].kind == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func unreadable(_ reason: String, at index: Int) -> DecodingError {
    .dataCorrupted(.init(codingPath: tape.path(to: index), debugDescription: reason))
  }

  func unsupported() -> DecodingError { unreadable("nested containers are not read", at: index) }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoding: JSONDecoding

  var codingPath: [any CodingKey] { decoding.codingPath }

  var allKeys: [Key] {
    var keys: [Key] = []
    decoding.tape.forEachMember(of: decoding.index) { name, _ in
      if let key = Key(stringValue: decoding.tape.string(at: name)) { keys.append(key) }
    }
    return keys
  }

  func contains(_ key: Key) -> Bool { decoding.source.tape.member(key.stringValue, of: decoding.index) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { decoding.source.tape.nodes[try index(of: key)].kind == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoding.value(at: try index(of: key))
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let index = decoding.source.tape.member(key.stringValue, of: decoding.index),
      decoding.source.tape.nodes[index].kind != .null
    else { return nil }
    return try decoding.value(at: index)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try JSONDecoding(decoding.source, at: try index(of: key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try JSONDecoding(decoding.source, at: try index(of: key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { throw decoding.unsupported() }
  func superDecoder(forKey key: Key) throws -> any Decoder { JSONDecoding(decoding.source, at: try index(of: key)) }

  private func index(of key: Key) throws -> Int {
    if let index = decoding.source.tape.member(key.stringValue, of: decoding.index) { return index }
    throw DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "there is no \(key.stringValue)"))
  }
}

private struct ListedValues: UnkeyedDecodingContainer {
  let decoding: JSONDecoding
  private var next: Int
  private(set) var currentIndex = 0

  init(decoding: JSONDecoding) {
    self.decoding = decoding
    next = decoding.index + 1
  }

  var codingPath: [any CodingKey] { decoding.codingPath }
  var count: Int? { Int(decoding.source.tape.nodes[decoding.index].count) }
  var isAtEnd: Bool { next >= decoding.source.tape.nodes[decoding.index].next }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, decoding.source.tape.nodes[next].kind == .null else { return false }
    _ = try advance()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoding.value(at: try advance()) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try JSONDecoding(decoding.source, at: try advance()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try JSONDecoding(decoding.source, at: try advance()).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { JSONDecoding(decoding.source, at: try advance()) }

  private mutating func advance() throws -> Int {
    guard !isAtEnd else { throw decoding.unreadable("the array has no more elements", at: decoding.index) }
    let index = next
    next = Int(decoding.source.tape.nodes[index].next)
    currentIndex += 1
    return index
  }
}

private struct SingleValue: SingleValueDecodingContainer {
  let decoding: JSONDecoding

  var codingPath: [any CodingKey] { decoding.codingPath }

  func decodeNil() -> Bool { decoding.source.tape.nodes[decoding.index].kind == .null }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoding.value(at: decoding.index) }
}
