// SPDX-License-Identifier: Apache-2.0

/// The fields of a record as they are written: small numbers take few bytes.
public struct JournalFields: Sendable {
  /// As they are written.
  public private(set) var bytes: [UInt8] = []

  /// None yet.
  public init() {}

  /// Seven bits a byte, the lowest first.
  public mutating func add(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Small where it is near zero, on either side.
  public mutating func add(_ number: Int64) { add(UInt64(bitPattern: number << 1 ^ number >> 63)) }

  /// A number with a sign, as `Int64` is written.
  public mutating func add(_ number: Int) { add(Int64(number)) }

  /// One byte: 1 where it is true, 0 where not.
  public mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Eight bytes, for numbers that are never small.
  public mutating func add(whole number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
  }

  /// Bytes, with their number.
  public mutating func add(_ more: [UInt8]) {
    add(UInt64(more.count))
    bytes += more
  }

  /// Its bytes in UTF-8, with their number.
  public mutating func add(_ text: String) { add(Array(text.utf8)) }

  /// A value, or that there is none.
  public mutating func add(optional number: Int64?) {
    add(number != nil)
    if let number { add(number) }
  }

  /// A text, or that there is none.
  public mutating func add(optional text: String?) {
    add(text != nil)
    if let text { add(text) }
  }
}

/// Fields as they are read, in the order in which they were written.
public struct JournalFieldReader: Sendable {
  private let bytes: [UInt8]
  private var place = 0

  /// Reads those of `record`.
  public init(_ record: JournalRecord) { bytes = record.fields }

  /// Whether all are read.
  public var isAtEnd: Bool { place == bytes.count }

  /// What was added as a number without a sign; as are those below, each throws where there is no such field.
  public mutating func unsigned() throws(JournalFault) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      guard shift < 63 || next <= 1 else { throw .record }
      number |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return number }
      shift += 7
    }
  }

  /// A number with a sign.
  public mutating func signed() throws(JournalFault) -> Int64 {
    let number = try unsigned()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// A number with a sign, however wide it was when it was added.
  public mutating func integer() throws(JournalFault) -> Int { Int(try signed()) }

  /// A byte of 0 or 1; any other is at fault.
  public mutating func flag() throws(JournalFault) -> Bool {
    let byte = try byte()
    guard byte <= 1 else { throw .record }
    return byte == 1
  }

  /// What was added as eight bytes, the lowest first.
  public mutating func whole() throws(JournalFault) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 8) { number |= UInt64(try byte()) << UInt64(shift) }
    return number
  }

  /// Bytes that were added with their number; at fault where fewer are left.
  public mutating func array() throws(JournalFault) -> [UInt8] {
    let count = try unsigned()
    guard count <= UInt64(bytes.count - place) else { throw .record }
    defer { place += Int(count) }
    return Array(bytes[place..<place + Int(count)])
  }

  /// A text; bytes that are no UTF-8 are replaced.
  public mutating func text() throws(JournalFault) -> String { String(decoding: try array(), as: UTF8.self) }

  /// A number, or nil where it was added that there is none.
  public mutating func optionalSigned() throws(JournalFault) -> Int64? { try flag() ? try signed() : nil }

  /// A text, or nil where it was added that there is none.
  public mutating func optionalText() throws(JournalFault) -> String? { try flag() ? try text() : nil }

  private mutating func byte() throws(JournalFault) -> UInt8 {
    guard place < bytes.count else { throw .record }
    defer { place += 1 }
    return bytes[place]
  }
}
