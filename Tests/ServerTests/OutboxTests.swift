// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Server

@Suite struct OutboxTests {
  private func text(_ outbox: inout Outbox) -> String {
    var all = ""
    while let next = outbox.next {
      all += String(decoding: next, as: UTF8.self)
      outbox.consume(next.count)
    }
    return all
  }

  @Test func linesLeaveInOrderInPiecesOfAnySize() {
    var outbox = Outbox(bound: 100)
    outbox.append(Array("abc\n".utf8))
    outbox.append(Array("de\n".utf8))
    var all: [UInt8] = []
    while let next = outbox.next {
      all += next.prefix(2)
      outbox.consume(min(2, next.count))
    }
    #expect(String(decoding: all, as: UTF8.self) == "abc\nde\n")
    #expect(outbox.isEmpty)
    #expect(outbox.queuedBytes == 0)
  }

  @Test func manyLinesLeaveInOrderWhileOthersCome() {
    var outbox = Outbox(bound: 100_000)
    var left = ""
    for number in 0..<2_000 {
      outbox.append(Array("\(number)\n".utf8))
      if number % 3 > 0, let next = outbox.next {
        left += String(decoding: next, as: UTF8.self)
        outbox.consume(next.count)
      }
    }
    left += text(&outbox)
    #expect(left == (0..<2_000).map { "\($0)\n" }.joined())
    #expect(outbox.queuedBytes == 0)
  }

  @Test func whatWaitsIsCounted() {
    var outbox = Outbox(bound: 8)
    outbox.append(Array("abc\n".utf8))
    #expect(outbox.queuedBytes == 4)
    #expect(outbox.fits(4))
    #expect(!outbox.fits(5))
    outbox.consume(3)
    #expect(outbox.queuedBytes == 1)
    #expect(outbox.fits(7))
  }

  @Test func newerStateTakesThePlaceOfOlderAtTheEnd() {
    var outbox = Outbox(bound: 100)
    outbox.append(Array("level 1\n".utf8), key: "level")
    outbox.append(Array("hit\n".utf8))
    outbox.append(Array("mode 1\n".utf8), key: "mode")
    outbox.append(Array("level 2\n".utf8), key: "level")
    #expect(outbox.queuedBytes == 19)
    #expect(text(&outbox) == "hit\nmode 1\nlevel 2\n")
  }

  @Test func aLineOnItsWayIsNeverReplaced() {
    var outbox = Outbox(bound: 100)
    outbox.append(Array("level 1\n".utf8), key: "level")
    outbox.consume(1)
    outbox.append(Array("level 2\n".utf8), key: "level")
    outbox.append(Array("level 3\n".utf8), key: "level")
    #expect(text(&outbox) == "evel 1\nlevel 3\n")
  }

  @Test func droppingKeepsTheLineOnItsWayWhole() {
    var outbox = Outbox(bound: 100)
    outbox.append(Array("abc\n".utf8))
    outbox.append(Array("def\n".utf8))
    outbox.consume(1)
    outbox.dropWaiting()
    #expect(outbox.queuedBytes == 3)
    outbox.append(Array("bye\n".utf8))
    #expect(text(&outbox) == "bc\nbye\n")
  }

  @Test func droppingBeforeAnythingLeftDropsAll() {
    var outbox = Outbox(bound: 100)
    outbox.append(Array("abc\n".utf8))
    outbox.dropWaiting()
    #expect(outbox.isEmpty)
    #expect(outbox.queuedBytes == 0)
  }
}
