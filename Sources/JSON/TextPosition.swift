// SPDX-License-Identifier: Apache-2.0

/// A place in a text.
public struct TextPosition: Hashable, Sendable {
  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in Unicode scalars, as editors count.
  public var column: Int

  /// The positions of `offsets`, which must ascend, in one pass over the text; a byte order mark is in no column.
  public static func positions(of offsets: [Int], in bytes: [UInt8]) -> [TextPosition] {
    var position = TextPosition(line: 1, column: 1)
    var at = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    return offsets.map { offset in
      while at < min(offset, bytes.count) {
        if bytes[at] == UInt8(ascii: "\n") {
          position = TextPosition(line: position.line + 1, column: 1)
        } else if at + 1 == bytes.count || bytes[at + 1] & 0xC0 != 0x80 {
          position.column += 1
        }
        at += 1
      }
      return position
    }
  }
}

/// What some editors put before UTF-8 text.
public let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
