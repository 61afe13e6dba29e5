// SPDX-License-Identifier: Apache-2.0

/// A message of Protocol Buffers while it is written: whole numbers and what has a length, which is all that a trace needs.
struct Protobuf {
  private(set) var bytes: [UInt8] = []

  /// A whole number; one below 0 takes ten bytes.
  mutating func number(_ field: UInt64, _ value: Int64) {
    varint(field << 3)
    varint(UInt64(bitPattern: value))
  }

  mutating func text(_ field: UInt64, _ text: String) { put(field, Array(text.utf8)) }

  /// A message inside this one.
  mutating func message(_ field: UInt64, _ fill: (inout Protobuf) -> Void) {
    var inner = Protobuf()
    fill(&inner)
    put(field, inner.bytes)
  }

  private mutating func put(_ field: UInt64, _ content: [UInt8]) {
    varint(field << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
