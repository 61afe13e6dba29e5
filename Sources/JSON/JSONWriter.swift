// SPDX-License-Identifier: Apache-2.0

/// Writes JSON without white space, the members of objects in alphabetical order, so that equal values give equal bytes.
public struct JSONWriter: Sendable {
  /// What is written so far.
  public private(set) var bytes: [UInt8] = []
  /// The members of the objects that are open, innermost last.
  private var members: [Member] = []

  fileprivate struct Member: Sendable {
    /// Where its name begins and its value ends; the name is `nameLength` bytes long, quotes included.
    var start: Int
    var end: Int
    var nameLength: Int
  }

  /// A writer that has written nothing.
  public init() {}

  /// A writer with room for so many bytes.
  public init(reserving count: Int) { bytes.reserveCapacity(count) }

  /// Writes `value`; throws what its `encode(to:)` throws, and where a number is not finite.
  public mutating func write(_ value: some Encodable) throws {
    // Moved, and moved back: what two hold is copied when it is written to.
    let sink = JSONSink(self)
    self = JSONWriter()
    defer { swap(&self, &sink.writer) }
    try sink.write(value)
  }

  /// Copies what is JSON already.
  public mutating func copy(_ json: some Sequence<UInt8>) { bytes.append(contentsOf: json) }

  /// Copies what is JSON already.
  public mutating func copy(_ json: StaticString) {
    json.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Writes a text, quotes and escapes included.
  public mutating func write(_ text: String) { appendQuoted(text, to: &bytes) }

  /// Writes a whole number, digit by digit: a text in between is allocated, and takes several times as long.
  public mutating func write(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    write(value.magnitude)
  }

  /// Writes a whole number, digit by digit.
  public mutating func write(_ value: UInt64) {
    let first = bytes.count
    var rest = value
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    var (low, high) = (first, bytes.count - 1)
    while low < high {
      bytes.swapAt(low, high)
      (low, high) = (low + 1, high - 1)
    }
  }

  /// Writes a number, whole ones without a point; false where it is not finite, which JSON cannot say.
  public mutating func write(_ value: Double) -> Bool {
    guard value.isFinite else { return false }
    let text = value.description.utf8
    bytes.append(contentsOf: text.suffix(2).elementsEqual(".0".utf8) ? text.dropLast(2) : text[...])
    return true
  }

  /// Copies the members of the object that `write` writes, behind a member that is there; without the object's braces. Nothing
  /// where it throws, or writes something else.
  public mutating func copyMembers<Failure>(of write: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
    let (start, open) = (bytes.count, members.count)
    do throws(Failure) {
      try write(&self)
    } catch {
      bytes.removeSubrange(start...)
      members.removeSubrange(open...)
      throw error
    }
    guard bytes.count > start + 2, bytes[start] == UInt8(ascii: "{") else {
      bytes.removeSubrange(start...)
      return
    }
    bytes[start] = UInt8(ascii: ",")
    bytes.removeLast()
  }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// How many members of open objects there are.
  var openMembers: Int { members.count }

  /// Begins a member of the innermost open object, whose members are those from `first` on.
  mutating func beginMember(_ name: String, first: Int) {
    if members.count > first { bytes.append(UInt8(ascii: ",")) }
    let start = bytes.count
    write(name)
    // What is written by hand has none.
    if members.capacity == 0 { members.reserveCapacity(16) }
    members.append(Member(start: start, end: start, nameLength: bytes.count - start))
    bytes.append(UInt8(ascii: ":"))
  }

  /// Ends the member that was begun last.
  mutating func endMember() { members[members.count - 1].end = bytes.count }

  /// Writes a member of the innermost open object, whose members are those from `first` on.
  @inline(__always)
  mutating func writeMember(_ name: String, first: Int, _ value: (inout JSONWriter) -> Void) {
    beginMember(name, first: first)
    value(&self)
    endMember()
  }

  /// Ends the object whose members are those from `first` on, and puts them in order.
  mutating func endObject(first: Int) {
    if !areOrdered(from: first) { putInOrder(from: first) }
    members.removeSubrange(first...)
    bytes.append(UInt8(ascii: "}"))
  }

  private func areOrdered(from first: Int) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      for place in members.indices.dropFirst(first + 1) where !members[place - 1].precedes(members[place], in: bytes) {
        return false
      }
      return true
    }
  }

  /// Moves the members about, which takes as many bytes as before.
  private mutating func putInOrder(from first: Int) {
    let start = members[first].start
    let unordered = Array(bytes[start...])
    var ordered = members[first...]
    unordered.withUnsafeBufferPointer { bytes in
      for place in ordered.indices {
        ordered[place].start -= start
        ordered[place].end -= start
      }
      ordered.sort { $0.precedes($1, in: bytes) }
    }
    bytes.removeSubrange(start...)
    for (place, member) in ordered.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: unordered[member.start..<member.end])
    }
  }
}

extension JSONWriter.Member {
  /// Whether its name comes before another's.
  fileprivate func precedes(_ other: JSONWriter.Member, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Without the quotes: "a" comes before "ab".
    let (own, others) = (nameLength - 2, other.nameLength - 2)
    for place in 0..<min(own, others) {
      let (a, b) = (bytes[start + 1 + place], bytes[other.start + 1 + place])
      if a != b { return a < b }
    }
    return own < others
  }
}

/// `text` as a JSON string (RFC 8259, section 7), quotation marks included.
public func jsonString(_ text: String) -> String {
  var bytes: [UInt8] = []
  appendQuoted(text, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}

private func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
  bytes.append(UInt8(ascii: "\""))
  let isPlain = text.utf8.withContiguousStorageIfAvailable { text in
    for byte in text where isEscaped(byte) { return false }
    bytes.append(contentsOf: text)
    return true
  }
  if isPlain != true {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20: appendControl(byte, to: &bytes)
      default: bytes.append(byte)
      }
    }
  }
  bytes.append(UInt8(ascii: "\""))
}

private func isEscaped(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

private func appendControl(_ byte: UInt8, to bytes: inout [UInt8]) {
  switch byte {
  case 0x08: bytes += "\\b".utf8
  case 0x09: bytes += "\\t".utf8
  case 0x0A: bytes += "\\n".utf8
  case 0x0C: bytes += "\\f".utf8
  case 0x0D: bytes += "\\r".utf8
  default:
    let digits = Array("0123456789abcdef".utf8)
    bytes += "\\u00".utf8
    bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
