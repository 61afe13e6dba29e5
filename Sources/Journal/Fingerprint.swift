// SPDX-License-Identifier: Apache-2.0

/// A number that other bytes hardly come to: for noticing what is not as it was, not for keeping anybody from forging it.
public struct Fingerprint: Sendable {
  /// What it has come to.
  public private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Of nothing.
  public init() {}

  /// Of these bytes alone.
  public init(of bytes: some Collection<UInt8>) {
    self.init()
    add(bytes)
  }

  /// Adds one number.
  public mutating func add(_ number: UInt64) {
    let mixed = (value ^ number).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = mixed.high ^ mixed.low ^ number
  }

  /// Adds bytes, and how many they are.
  public mutating func add(_ bytes: some Collection<UInt8>) {
    var (word, length): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      length &+= 1
      if length & 7 == 0 {
        add(word)
        word = 0
      }
    }
    add(word)
    add(length)
  }
}
