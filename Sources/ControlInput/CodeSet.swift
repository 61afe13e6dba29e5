// SPDX-License-Identifier: Apache-2.0

/// Which codes of a kind a device has.
public struct CodeSet: Hashable, Sendable {
  /// 64 codes each, the lowest first.
  private var words: [UInt64] = []

  /// These codes.
  public init(_ codes: some Sequence<UInt16>) { for code in codes { insert(code) } }

  /// Those in a `capabilities` file: hexadecimal words of the machine's size, the highest first. What is no such word counts
  /// as zero.
  public init(capabilities text: String, wordBits: Int = UInt.bitWidth) {
    let parts = text.utf8.count > 4_096 ? [] : text.split(whereSeparator: \.isWhitespace)
    for (place, part) in parts.reversed().enumerated() {
      let word = UInt64(part, radix: 16) ?? 0
      for bit in 0..<wordBits where word >> bit & 1 == 1 { insert(UInt16(clamping: place * wordBits + bit)) }
    }
  }

  private mutating func insert(_ code: UInt16) {
    let place = Int(code) / 64
    while words.count <= place { words.append(0) }
    words[place] |= 1 << (code % 64)
  }

  /// Whether it has none.
  public var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Whether it has that one.
  public func contains(_ code: UInt16) -> Bool {
    words.indices.contains(Int(code) / 64) && words[Int(code) / 64] >> (code % 64) & 1 == 1
  }

  /// Whether it has none of these.
  public func isDisjoint(with codes: ClosedRange<UInt16>) -> Bool { !codes.contains(where: contains) }

  /// A bit each, the lowest first, in `bytes` bytes; what has no room is left out.
  public func bits(_ bytes: Int) -> [UInt8] {
    (0..<bytes).map { byte in
      words.indices.contains(byte / 8) ? UInt8(truncatingIfNeeded: words[byte / 8] >> (byte % 8 * 8)) : 0
    }
  }
}
