// SPDX-License-Identifier: Apache-2.0

import Outcomes
import SeededNumbers
import Testing
import Timing
import Tracing

/// What records come to, counted one by one of all that are kept: too plain to be wrong.
private struct PlainTally {
  var periods = TraceTally.Count()
  var frames: Int64 = 0
  var lost: Int64 = 0
  var mostLoad = 0.0
  var lines: [UInt32: TraceTally.Count] = [:]
  var writes: [UInt8: TraceTally.Count] = [:]
  var beats: [Interval] = []

  init(_ records: some Sequence<TraceRecord>, since: Instant) {
    for record in records {
      switch record.event {
      case .period(_, let due, let woken, let done, _, let count):
        if done < since { continue }
        add(to: &periods, done - woken, due == .distantPast ? .zero : woken - due)
        frames += Int64(count)
        mostLoad = max(mostLoad, (done - woken).seconds / Interval.frames(Int64(count), rate: 48_000).seconds)
      case .lost(_, let count, _, let noticed, _): lost += noticed < since ? 0 : count
      case .line(_, _, _, _, let done, let processor, _):
        if done >= since { add(to: &lines[record.client, default: TraceTally.Count()], processor, .zero) }
      case .wrote(let due, _, let woken, let done, let device, let isRefused, _, _):
        if done < since { continue }
        add(to: &writes[device, default: TraceTally.Count()], done - woken, woken - due)
        writes[device, default: TraceTally.Count()].refused += isRefused ? 1 : 0
      case .told(_, let due, _, let written, let subject):
        if written < since || written == .distantFuture { continue }
        if subject == .beat || subject == .musicBeat { beats.append(max(written - due, .zero)) }
      default: break
      }
    }
    beats.sort()
  }

  private func add(to count: inout TraceTally.Count, _ taken: Interval, _ late: Interval) {
    count.number += 1
    count.sum += taken
    count.most = max(count.most, taken)
    count.latest = max(count.latest, late)
  }
}

@Suite struct RandomTallyTests {
  /// One record of what was over at about `now`, of one of the clients or the daemon itself.
  private func record(_ now: Instant, _ clients: [UInt32], _ random: inout SeededRandom) -> TraceRecord {
    // What other threads recorded comes in behind, a while later.
    let done = now - .microseconds(random.oneIn(4) ? random.integer(0...2_000_000) : 0)
    let begun = done - .microseconds(random.integer(0...3_000))
    let due = begun - .microseconds(random.integer(-50...900))
    let client = random.pick(clients)
    switch random.next(below: 8) {
    case 0, 1:
      let frames = random.pick([64, 128, 256, 441] as [Int32])
      let isPlanned = !random.oneIn(9)
      return TraceRecord(
        .period(
          first: 0, due: isPlanned ? due : .distantPast, woken: begun, done: done, heard: done + .milliseconds(3),
          frames: frames))
    case 2: return TraceRecord(.lost(first: 0, frames: 96, heard: now, noticed: done, cause: .underrun))
    case 3:
      return TraceRecord(
        .wrote(
          due: due, felt: done, woken: begun, done: done, device: UInt8(random.next(below: 3)),
          isRefused: random.oneIn(5)))
    case 4:
      let subject = random.pick([.beat, .musicBeat, .cue] as [TraceKind])
      let written = random.oneIn(5) ? .distantFuture : done
      return TraceRecord(.told(number: 1, due: due, queued: begun, written: written, subject: subject), client: client)
    case 5: return TraceRecord(.asked(id: 1, asked: now, scheduled: now + .seconds(900), at: now, subject: .sound))
    default:
      return TraceRecord(
        .line(
          arrived: begun, begun: begun, decoded: begun, planned: begun, done: done, processor: done - begun, method: 3),
        client: client, line: 1)
    }
  }

  private func compare(_ kept: KeptRecords, _ all: ArraySlice<TraceRecord>, _ clients: UInt32, since: Instant) throws {
    let (told, plain) = (TraceTally(kept, since: since), PlainTally(all, since: since))
    try hold(told.periods == plain.periods && told.frames == plain.frames, "periods \(told.periods)")
    try hold(told.framesLost == plain.lost, "\(told.framesLost) frames lost, not \(plain.lost)")
    try hold(told.mostLoad(rate: 48_000) == plain.mostLoad, "load \(told.mostLoad(rate: 48_000))")
    try hold(told.writes == plain.writes, "writes \(told.writes), not \(plain.writes)")
    for client in 0...clients {
      let lines = told.lines(of: client)
      try hold(lines == plain.lines[client] ?? TraceTally.Count(), "lines of \(client): \(lines)")
    }
    try hold(told.beats == plain.beats.count, "\(told.beats) beats, not \(plain.beats.count)")
    for share in [0, 0.5, 0.99, 1] {
      let place = min(plain.beats.count - 1, Int(Double(plain.beats.count) * share))
      let late = plain.beats.isEmpty ? nil : plain.beats[place]
      try hold(told.beatLateness(share) == late, "\(share) of the beats: \(told.beatLateness(share), default: "none")")
    }
  }

  @Test func whatIsCountedByChunksIsWhatAllRecordsComeToOneByOne() throws {
    try search(upTo: 60) { random in
      let capacity = 1 << random.next(below: 11)
      var table = TraceTable(capacity: capacity)
      var all: [TraceRecord] = []
      var now = Instant.zero + .seconds(100)
      // Clients come, and go, and none comes twice.
      var (clients, latest): ([UInt32], UInt32) = ([0, 1], 1)
      for _ in 0..<random.next(below: 4 * capacity + 200) {
        now += .microseconds(random.integer(0...4_000))
        if random.oneIn(12) {
          latest += 1
          clients.append(latest)
        }
        if clients.count > 5 { clients.remove(at: random.next(below: clients.count)) }
        all.append(record(now, clients, &random))
        table.append(all[all.count - 1])
      }
      let kept = table.kept
      try hold(kept.numbers == max(0, all.count - capacity)..<all.count, "numbers \(kept.numbers)")
      for _ in 0..<6 {
        let since = now - .microseconds(random.integer(-1_000...6_000_000))
        try compare(kept, all.suffix(capacity), latest, since: since)
      }
      try compare(kept, all.suffix(capacity), latest, since: .distantPast)
    }
  }
}
