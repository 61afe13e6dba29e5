// SPDX-License-Identifier: Apache-2.0

import Engine
import Outcomes
import SeededNumbers
import Testing
import Timing
import Tracing
import Wire

@testable import Host

@Suite struct TracePageTests {
  /// One of each kind of record, at random instants, of which some are not known.
  private func event(_ now: Instant, _ random: inout SeededRandom) -> TraceEvent {
    var instants: [Instant] = []
    for _ in 0..<5 {
      let instant = now + Interval(nanoseconds: random.integer(-3_000_000...3_000_000))
      instants.append(random.oneIn(9) ? random.pick([.distantPast, .distantFuture]) : instant)
    }
    let (a, b, c, d, isSo) = (now, instants[1], instants[2], instants[3], random.oneIn(2))
    switch random.next(below: 21) {
    case 0: return .period(first: 0, due: b, woken: a, done: c, heard: d, frames: 64)
    case 1: return .lost(first: 0, frames: 1, heard: b, noticed: a, cause: .skipped)
    case 2: return .turn(due: b, woken: a, done: c, processor: .zero, isInterrupted: isSo)
    case 3: return .line(arrived: b, begun: a, decoded: b, planned: b, done: c, processor: .zero, method: 1)
    case 4: return .errand(begun: a, done: b)
    case 5: return .asked(id: 1, asked: b, scheduled: c, at: a, subject: .cue)
    case 6: return .start(voice: 1, frame: 1, heard: b, at: a, cue: 0, isTrack: isSo)
    case 7: return .moved(voice: 1, frame: 1, heard: a)
    case 8: return .letGo(voice: 1, at: a)
    case 9: return .unbegun(id: 1, due: b, at: a, cue: 0, subject: .sound, why: .skipped)
    case 10: return .silent(voice: 1, from: 0, heard: a, isOver: isSo)
    case 11: return .ended(voice: 1, frame: 1, heard: a)
    case 12: return .stood(at: a, frame: 1, frames: 1, length: .milliseconds(2), resumed: isSo)
    case 13: return .player(player: 1, felt: b, at: a, cue: 0)
    case 14: return .writing(due: b, felt: c, woken: a, device: 1)
    case 15: return .wrote(due: b, felt: c, woken: a, done: d, device: 1, isRefused: isSo)
    case 16: return .changed(cue: 1, frame: 1, heard: b, at: a, isFelt: isSo)
    case 17: return .handedOut(number: 1, due: b, at: a, subject: .beat)
    case 18: return .told(number: 1, due: b, queued: a, written: c, subject: .beat)
    case 19: return .client(at: a, change: .came)
    default: return .processor(at: a, used: .zero, thread: .audio)
    }
  }

  @Test func aPageHasWhatItsRecordsThemselvesSayIsOfThatTimeOrLater() throws {
    try search(upTo: 40) { random in
      let capacity = random.oneIn(10) ? 16_384 : 1 << random.next(below: 10)
      let log = TraceLog(records: capacity)
      var now = Instant(microseconds: 50_000_000)
      var all: [TraceEntry] = []
      for _ in 0..<random.next(below: 3 * capacity + 60) {
        now += .microseconds(random.integer(0...100))
        let event = event(now, &random)
        log.note(event)
        all.append(TraceEntry(TraceRecord(event), devices: [:]))
      }
      let oldest = max(0, all.count - capacity)
      for _ in 0..<8 {
        let from = random.integer(0...Int64(all.count + 3))
        let sinceUs: Int64? =
          random.oneIn(4) ? random.pick([nil, .min, .max]) : now.microseconds - random.integer(-9_000...20_000)
        let page = log.page(from: from, since: sinceUs, devices: [:], lost: 0)
        // By what clients read of each.
        var number = max(min(Int(from), all.count), oldest)
        let looked = min(all.count, number + TraceRead.pageLooks)
        var meant: [TraceEntry] = []
        while number < looked, meant.count < TraceRead.pageRecords {
          let entry = all[number]
          if max(entry.toUs ?? entry.fromUs, entry.heardUs ?? .min) >= sinceUs ?? .min { meant.append(entry) }
          number += 1
        }
        try hold(page.records == meant, "\(page.records.count) records, not \(meant.count)")
        try hold(page.next == Int64(number), "goes on at \(page.next), not \(number)")
        try hold(page.end == Int64(all.count), "ends at \(page.end)")
      }
    }
  }
}
