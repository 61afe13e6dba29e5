// SPDX-License-Identifier: Apache-2.0

import Engine
import Journal

/// Writes and reads turns as they lie in memory, so that nothing of them can be forgotten: what differs from the turn before.
struct JournalTurn {
  private var last = [UInt64](repeating: 0, count: Self.words)

  private static let words = (MemoryLayout<Turn>.size + 7) / 8

  mutating func write(_ turn: Turn, into fields: inout JournalFields) {
    var words = [UInt64](repeating: 0, count: Self.words)
    words.withUnsafeMutableBytes { room in
      withUnsafeBytes(of: turn) { room.copyMemory(from: $0) }
    }
    for (word, before) in zip(words, last) { fields.add(word ^ before) }
    last = words
  }

  mutating func read(_ fields: inout JournalFieldReader, over turn: inout Turn) throws(JournalFault) {
    for index in last.indices { last[index] ^= try fields.unsigned() }
    last.withUnsafeBytes { words in
      withUnsafeMutableBytes(of: &turn) { room in
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: words[..<room.count]))
      }
    }
  }
}
