// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing
import Timing
import Wire

@testable import Server

@Suite struct LineQueueTests {
  private func text(_ queue: inout LineQueue) -> String {
    var all = ""
    // Nothing is no line.
    while let next = queue.next, !next.isEmpty {
      all += String(decoding: next, as: UTF8.self)
      queue.consume(next.count)
    }
    return all
  }

  @Test func linesLeaveInOrderInPiecesOfAnySize() {
    var queue = LineQueue(bound: 100)
    queue.append(Array("abc\n".utf8))
    queue.append(Array("de\n".utf8))
    var all: [UInt8] = []
    while let next = queue.next {
      all += next.prefix(2)
      queue.consume(min(2, next.count))
    }
    #expect(String(decoding: all, as: UTF8.self) == "abc\nde\n")
    #expect(queue.isEmpty)
    #expect(queue.queuedBytes == 0)
  }

  @Test func manyLinesLeaveInOrderWhileOthersCome() {
    var queue = LineQueue(bound: 100_000)
    var left = ""
    for number in 0..<2_000 {
      queue.append(Array("\(number)\n".utf8))
      if number % 3 > 0, let next = queue.next {
        left += String(decoding: next, as: UTF8.self)
        queue.consume(next.count)
      }
    }
    left += text(&queue)
    #expect(left == (0..<2_000).map { "\($0)\n" }.joined())
    #expect(queue.queuedBytes == 0)
  }

  /// A plain list, searched from its beginning, says what waits. Some read all the time, some hardly ever.
  @Test func whateverComesAndLeavesTheNewestOfEachKeyWaitsInItsPlace() throws {
    try search(upTo: 12) { random in
      var queue = LineQueue(bound: 1_000_000)
      var list: [(key: String?, line: [UInt8])] = []
      var sent = 0
      let patience = 2 + random.next(below: 40)
      for number in 0..<1_200 {
        switch random.next(below: patience) {
        case 0:
          var count = Int(random.integer(1...60))
          queue.consume(count)
          while count > 0, let first = list.first {
            let part = min(count, first.line.count - sent)
            (sent, count) = (sent + part, count - part)
            if sent == first.line.count {
              list.removeFirst()
              sent = 0
            }
          }
        case 1:
          let key = "\(random.integer(0...40))"
          let index = list.indices.dropFirst(sent > 0 ? 1 : 0).first { list[$0].key == key }
          if let index { list.remove(at: index) }
          let isRemoved = queue.removeWaiting(key)
          try hold(isRemoved == (index != nil), "\(key) was there: \(index != nil), and was taken out: \(isRemoved)")
        default:
          let key = random.oneIn(5) ? nil : "\(random.integer(0...random.integer(0...40)))"
          let line = Array("\(key ?? "-") \(number)\n".utf8)
          if let key, let index = list.indices.dropFirst(sent > 0 ? 1 : 0).first(where: { list[$0].key == key }) {
            list.remove(at: index)
          }
          list.append((key, line))
          queue.append(line, key: key)
        }
        let count = list.reduce(0) { $0 + $1.line.count } - sent
        try hold(queue.queuedBytes == count, "\(queue.queuedBytes) bytes, not \(count)")
        try hold(queue.isEmpty == list.isEmpty, "it is empty: \(queue.isEmpty)")
        let next = list.first.map { Array($0.line.dropFirst(sent)) }
        try hold(queue.next.map(Array.init) == next, "\(queue.next ?? []) is next, not \(next ?? [])")
        guard number % 16 == 0 else { continue }
        let all = String(decoding: list.flatMap(\.line).dropFirst(sent), as: UTF8.self)
        let waiting = String(decoding: queue.next(upTo: 1_000_000) ?? [], as: UTF8.self)
        try hold(waiting == all, "\(waiting) waits, not \(all)")
      }
    }
  }

  @Test func linesAreSentTogetherUpToABoundAndAreDoneWithTogether() {
    var queue = LineQueue(bound: 100)
    for line in ["abc\n", "de\n", "fghijkl\n"] { queue.append(Array(line.utf8)) }
    #expect(queue.next(upTo: 7).map { String(decoding: $0, as: UTF8.self) } == "abc\nde\n")
    queue.consume(6)
    #expect(queue.next(upTo: 7).map { String(decoding: $0, as: UTF8.self) } == "\n")
    queue.consume(1)
    #expect(queue.next(upTo: 7).map { String(decoding: $0, as: UTF8.self) } == "fghijkl\n", "one is sent however long")
    queue.consume(8)
    #expect(queue.isEmpty && queue.queuedBytes == 0 && queue.next(upTo: 7) == nil)
  }

  @Test func theMarksOfWhatLeavesComeInOrderAndThoseOfWhatWaitsOnce() throws {
    let marks = try ([1, 2, 3] as [Int64]).map { id in
      let cue = OutgoingNotification(CueFired(id: id, cue: "x", skipped: []), tUs: 0)
      return try #require(ToldMark(cue, queued: Instant(microseconds: id)))
    }
    var queue = LineQueue(bound: 100)
    for mark in marks { queue.append(Array("abc\n".utf8), mark: mark) }
    #expect(queue.consume(9) == Array(marks.prefix(2)))
    #expect(queue.takeNewMarks() == [marks[2]])
    #expect(queue.takeNewMarks() == [])
    #expect(queue.consume(3) == [marks[2]])
  }

  @Test func whatWaitsIsCounted() {
    var queue = LineQueue(bound: 8)
    queue.append(Array("abc\n".utf8))
    #expect(queue.queuedBytes == 4)
    #expect(queue.fits(4))
    #expect(!queue.fits(5))
    queue.consume(3)
    #expect(queue.queuedBytes == 1)
    #expect(queue.fits(7))
  }

  @Test func newerStateTakesThePlaceOfOlderAtTheEnd() {
    var queue = LineQueue(bound: 100)
    queue.append(Array("level 1\n".utf8), key: "level")
    queue.append(Array("hit\n".utf8))
    queue.append(Array("mode 1\n".utf8), key: "mode")
    queue.append(Array("level 2\n".utf8), key: "level")
    #expect(queue.queuedBytes == 19)
    #expect(text(&queue) == "hit\nmode 1\nlevel 2\n")
  }

  @Test func aLineOnItsWayIsNeverReplaced() {
    var queue = LineQueue(bound: 100)
    queue.append(Array("level 1\n".utf8), key: "level")
    queue.consume(1)
    queue.append(Array("level 2\n".utf8), key: "level")
    queue.append(Array("level 3\n".utf8), key: "level")
    #expect(text(&queue) == "evel 1\nlevel 3\n")
  }

  @Test func droppingKeepsTheLineOnItsWayWhole() {
    var queue = LineQueue(bound: 100)
    queue.append(Array("abc\n".utf8))
    queue.append(Array("def\n".utf8))
    queue.consume(1)
    queue.dropWaiting()
    #expect(queue.queuedBytes == 3)
    queue.append(Array("bye\n".utf8))
    #expect(text(&queue) == "bc\nbye\n")
  }

  @Test func droppingBeforeAnythingLeftDropsAll() {
    var queue = LineQueue(bound: 100)
    queue.append(Array("abc\n".utf8))
    queue.dropWaiting()
    #expect(queue.isEmpty)
    #expect(queue.queuedBytes == 0)
  }
}
