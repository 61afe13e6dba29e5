// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

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

  @Test func linesAreSentTogetherUpToABoundAndAreDoneWithTogether() {
    var outbox = Outbox(bound: 100)
    for line in ["abc\n", "de\n", "fghijkl\n"] { outbox.append(Array(line.utf8)) }
    #expect(outbox.next(upTo: 7).map { String(decoding: $0, as: UTF8.self) } == "abc\nde\n")
    outbox.consume(6)
    #expect(outbox.next(upTo: 7).map { String(decoding: $0, as: UTF8.self) } == "\n")
    outbox.consume(1)
    #expect(outbox.next(upTo: 7).map { String(decoding: $0, as: UTF8.self) } == "fghijkl\n", "one is sent however long")
    outbox.consume(8)
    #expect(outbox.isEmpty && outbox.queuedBytes == 0 && outbox.next(upTo: 7) == nil)
  }

  @Test func theMarksOfWhatLeavesComeInOrderAndThoseOfWhatWaitsOnce() throws {
    let marks = try ([1, 2, 3] as [Int64]).map { id in
      let cue = OutgoingNotification(CueFired(id: id, cue: "x", skipped: []), tUs: 0)
      return try #require(ToldMark(cue, queued: Instant(microseconds: id)))
    }
    var outbox = Outbox(bound: 100)
    for mark in marks { outbox.append(Array("abc\n".utf8), mark: mark) }
    #expect(outbox.consume(9) == Array(marks.prefix(2)))
    #expect(outbox.takeNewMarks() == [marks[2]])
    #expect(outbox.takeNewMarks() == [])
    #expect(outbox.consume(3) == [marks[2]])
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
