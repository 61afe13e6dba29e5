// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Tracing

@Suite struct TraceTallyTests {
  private func us(_ value: Int64) -> Instant { Instant(microseconds: value) }

  @Test func recordsSinceAnInstantAreCounted() {
    var table = TraceTable(capacity: 64)
    func add(_ event: TraceEvent, client: UInt32 = 0) { table.append(TraceRecord(event, client: client)) }
    for (index, taken) in [500, 100, 300].enumerated() {
      let woken = us(Int64(index) * 1_000 + 20)
      add(
        .period(
          first: Int64(index) * 48, due: woken - .microseconds(Int64(index) * 7), woken: woken,
          done: woken + .microseconds(Int64(taken)), heard: woken, frames: 48))
    }
    add(.lost(first: 0, frames: 12, heard: us(0), noticed: us(1_500), cause: .underrun))
    for (client, taken) in [(1, 30), (2, 5), (1, 10)] as [(UInt32, Int64)] {
      add(
        .line(
          arrived: us(1_900), begun: us(1_900), decoded: us(1_900), planned: us(1_900), done: us(2_000),
          processor: .microseconds(taken), method: 0), client: client)
    }
    add(.wrote(due: us(1_000), felt: us(1_000), woken: us(1_040), done: us(1_100), device: 2, isRefused: false))
    add(.wrote(due: us(1_200), felt: us(1_200), woken: us(1_200), done: us(1_900), device: 2, isRefused: true))
    for late in [70, 10, 40] as [Int64] {
      add(.told(number: 1, due: us(1_000), queued: us(1_000), written: us(1_000 + late), subject: .beat), client: 1)
    }
    add(.told(number: 1, due: us(1_000), queued: us(1_000), written: .distantFuture, subject: .beat), client: 2)
    add(.told(number: 1, due: us(1_000), queued: us(1_000), written: us(9_000), subject: .cue), client: 2)

    let tally = TraceTally(table.kept, since: us(1_000))
    // The first period was over before.
    #expect(tally.periods.number == 2 && tally.frames == 96 && tally.framesLost == 12)
    #expect(tally.periods.latest == .microseconds(14) && tally.periods.most == .microseconds(300))
    #expect(abs(tally.load(rate: 48_000) - 0.2) < 1e-9 && abs(tally.mostLoad(rate: 48_000) - 0.3) < 1e-9)
    #expect(tally.lines(of: 1).number == 2 && tally.lines(of: 1).sum == .microseconds(40))
    #expect(tally.lines(of: 1).most == .microseconds(30) && tally.lines(of: 2).number == 1)
    #expect(tally.lines(of: 3) == TraceTally.Count())
    #expect(tally.writes[2]?.number == 2 && tally.writes[2]?.refused == 1)
    #expect(tally.writes[2]?.most == .microseconds(700) && tally.writes[2]?.latest == .microseconds(40))
    #expect(tally.beats == 3 && tally.beatLateness(0) == .microseconds(10))
    #expect(tally.beatLateness(0.5) == .microseconds(40) && tally.beatLateness(0.99) == .microseconds(70))
    #expect(TraceTally(table.kept, since: us(10_000)).beatLateness(0.5) == nil)
  }
}
