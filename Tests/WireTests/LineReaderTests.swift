// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@Suite struct LineReaderTests {
  private func items(_ pieces: [String], maximum: Int = 8) -> [LineReader.Item] {
    var reader = LineReader(maximumLineBytes: maximum)
    var items: [LineReader.Item] = []
    for piece in pieces {
      reader.append(Array(piece.utf8))
      while let item = reader.next() { items.append(item) }
    }
    return items
  }

  private func line(_ text: String) -> LineReader.Item { .line(Array(text.utf8)) }

  @Test func linesComeOutWhereverTheStreamIsCut() {
    #expect(items(["a\nbc\n\nd"]) == [line("a"), line("bc"), line("")])
    #expect(items(["a", "\nb", "c\n", "\n", "d"]) == [line("a"), line("bc"), line("")])
  }

  @Test func aLineOfExactlyTheLimitIsRead() {
    #expect(items(["12345678\n"]) == [line("12345678")])
    #expect(items(["12345678", "\n"]) == [line("12345678")])
  }

  @Test func aLongerLineIsToldOnceAndDroppedToItsEnd() {
    #expect(items(["123456789\nok\n"]) == [.tooLong, line("ok")])
    #expect(items(["123456789", "more", "and more\nok\n"]) == [.tooLong, line("ok")])
    #expect(items(["ok\n123456789", "\n123456789\n", "end\n"]) == [line("ok"), .tooLong, .tooLong, line("end")])
  }

  @Test func nothingIsKeptOfALineTooLong() {
    var reader = LineReader(maximumLineBytes: 8)
    reader.append([UInt8](repeating: 65, count: 1_000))
    #expect(reader.next() == .tooLong)
    #expect(reader.bufferedBytes == 0)
    reader.append([UInt8](repeating: 65, count: 1_000))
    #expect(reader.next() == nil)
    #expect(reader.bufferedBytes == 0)
  }
}
