// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Tracing

@Suite struct TraceTableTests {
  @Test func aRecordHas64BytesAtMostAndTheTable4MiB() {
    #expect(MemoryLayout<TraceRecord>.stride <= 64)
    #expect(TraceTable.capacity * MemoryLayout<TraceRecord>.stride <= 4 << 20)
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
