// SPDX-License-Identifier: Apache-2.0

/// A number that other bytes hardly come to: for noticing what is not as it was, not for keeping anybody from forging it.
public struct Fingerprint: Sendable {
  /// What it has come to.
  public private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Of nothing.
  public init() {}

  /// Of these bytes alone.
  public init(of bytes: some Sequence<UInt8>) {
    self.init()
    add(bytes)
  }

  /// Adds one number.
  public mutating func add(_ number: UInt64) {
    let mixed = (value ^ number).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = mixed.high ^ mixed.low ^ number
  }

  /// Adds bytes, and how many they are.
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ add(UnsafeRawBufferPointer($0)) }) == nil { add(Array(bytes)) }
  }

  /// Eight bytes at a time.
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    let whole = bytes.count & ~7
    var place = 0
    while place < whole {
      add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      place &+= 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest << 8 | UInt64(bytes[place])
      place &+= 1
    }
    add(rest)
    add(UInt64(bytes.count))
  }
}
