// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Tracing

@Suite struct TraceTableTests {
  @Test func aRecordHas64BytesAtMostOnItsWayAndTheTable65536() {
    #expect(MemoryLayout<TraceRecord>.stride <= 64)
    #expect(TraceTable.capacity == 65_536)
  }

  @Test func theOldestIsOverwrittenAndNumbersGoOn() {
    var table = TraceTable(capacity: 4)
    for number in 0..<10 { table.append(TraceRecord(.errand(begun: .zero, done: .zero), line: UInt32(number))) }
    #expect(table.count == 10)
    #expect(table.first == 6)
    var lines: [UInt32] = []
    let kept = table.kept
    kept.visit { lines.append($0.line) }
    #expect(lines == [6, 7, 8, 9])
    #expect(kept[8].line == 8)
    #expect(kept.latest { $0.line < 9 ? $0.line : nil } == 8)
    #expect(kept.latest { $0.line < 6 ? $0.line : nil } == nil)
  }

  @Test func whatIsPagedBeginsAndEndsWhereverAndLeavesOutWhatIsOver() {
    // Chunks of four, of which some are over as a whole.
    var table = TraceTable(capacity: 256)
    for number in 0..<301 {
      table.append(
        TraceRecord(.letGo(voice: 1, at: Instant(microseconds: Int64(number / 10))), line: UInt32(number)))
    }
    let kept = table.kept
    func page(_ range: Range<Int>, since: Int64, most: Int) -> (lines: [UInt32], numbers: [Int], next: Int) {
      var (lines, numbers): ([UInt32], [Int]) = ([], [])
      let next = kept.visit(in: range, sinceUs: since) { record, number in
        lines.append(record.line)
        numbers.append(number)
        return lines.count < most
      }
      return (lines, numbers, next)
    }
    let some = page(50..<301, since: 20, most: 7)
    #expect(some.lines == (200..<207).map { UInt32($0) })
    #expect(some.numbers == Array(200..<207))
    #expect(some.next == 207)
    let rest = page(207..<301, since: 20, most: 1_000)
    #expect(rest.numbers == Array(207..<301))
    #expect(rest.next == 301)
    #expect(page(50..<150, since: 20, most: 7).next == 150)
    #expect(page(301..<301, since: 0, most: 7).next == 301)
  }

  @Test func whatWasKeptAtAMomentStaysWhileTheTableGoesOn() {
    var table = TraceTable(capacity: 256)
    func add(_ numbers: Range<Int>) {
      for number in numbers { table.append(TraceRecord(.errand(begun: .zero, done: .zero), line: UInt32(number))) }
    }
    add(0..<301)
    let kept = table.kept
    add(301..<2_000)
    var lines: [UInt32] = []
    kept.visit { lines.append($0.line) }
    #expect(kept.numbers == 45..<301)
    #expect(lines == (45..<301).map { UInt32($0) })
    #expect(table.kept.numbers == 1_744..<2_000)
  }

  @Test func whatFindsNoRoomInARingIsLostAndCounted() {
    let ring = TraceRing(capacity: 4)
    for number in 0..<6 {
      ring.record(.errand(begun: Instant(nanoseconds: Int64(number)), done: .zero))
    }
    var begun: [Int64] = []
    ring.drain { if case .errand(let instant, _) = $0.event { begun.append(instant.nanoseconds) } }
    #expect(begun == [0, 1, 2, 3])
    #expect(ring.lost == 2)
    ring.record(.errand(begun: .zero, done: .zero))
    #expect(ring.lost == 2)
  }
}
