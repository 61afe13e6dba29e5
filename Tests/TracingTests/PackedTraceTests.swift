// SPDX-License-Identifier: Apache-2.0

import Outcomes
import RealTime
import SeededNumbers
import Synchronization
import Testing
import Timing

@testable import Tracing

@Suite struct PackedTraceTests {
  /// Any number at all, the ends of the range more often than by chance, or one that is at most so far from zero.
  private func number(_ random: inout SeededRandom, _ most: Int64?) -> Int64 {
    if let most { return random.integer(-most...most) }
    return switch random.next(below: 4) {
    case 0: random.pick([0, 1, -1, .min, .min + 1, .max, .max - 1])
    case 1: random.integer(-1_000...1_000)
    default: Int64(bitPattern: random.next())
    }
  }

  private func instant(_ random: inout SeededRandom, _ most: Int64?) -> Instant {
    Instant(nanoseconds: number(&random, most))
  }

  private func event(_ kind: PackedTrace.Kind, _ random: inout SeededRandom, _ most: Int64?) -> TraceEvent {
    let (a, b, c) = (instant(&random, most), instant(&random, most), instant(&random, most))
    let (d, e) = (instant(&random, most), instant(&random, most))
    let length = Interval(nanoseconds: number(&random, most))
    let (x, y, z) = (number(&random, most), number(&random, most), number(&random, most))
    let (voice, flag, device) = (random.next(), random.oneIn(2), UInt8(random.next(below: 256)))
    let subject = random.pick(TraceKind.allCases)
    return switch kind {
    case .period: .period(first: x, due: a, woken: b, done: c, heard: d, frames: Int32(truncatingIfNeeded: y))
    case .lost:
      .lost(first: x, frames: y, heard: a, noticed: b, cause: random.pick(TraceEvent.Loss.allCases))
    case .turn: .turn(due: a, woken: b, done: c, processor: length, isInterrupted: flag)
    case .line:
      .line(
        arrived: a, begun: b, decoded: c, planned: d, done: e, processor: length, method: UInt16(truncatingIfNeeded: x))
    case .errand: .errand(begun: a, done: b)
    case .asked: .asked(id: x, asked: a, scheduled: b, at: c, subject: subject)
    case .start: .start(voice: voice, frame: x, heard: a, at: b, cue: y, plan: z, isTrack: flag)
    case .moved: .moved(voice: voice, frame: x, heard: a)
    case .letGo: .letGo(voice: voice, at: a)
    case .unbegun:
      .unbegun(id: x, due: a, at: b, cue: y, subject: subject, why: random.pick(LifeStage.allCases))
    case .silent: .silent(voice: voice, from: x, heard: a, isOver: flag)
    case .ended: .ended(voice: voice, frame: x, heard: a)
    case .stood: .stood(at: a, frame: x, frames: y, length: length, resumed: flag)
    case .player: .player(player: voice, felt: a, at: b, cue: x, silence: length)
    case .writing: .writing(due: a, felt: b, woken: c, device: device)
    case .wrote:
      .wrote(
        due: a, felt: b, woken: c, done: d, device: device, isRefused: flag, spacing: length, tookLate: random.oneIn(2))
    case .changed: .changed(cue: x, frame: y, heard: a, at: b, isFelt: flag, plan: z)
    case .handedOut: .handedOut(number: x, due: a, at: b, subject: subject)
    case .told: .told(number: x, due: a, queued: b, written: c, subject: subject)
    case .client: .client(at: a, change: random.pick(TraceEvent.ClientChange.allCases))
    case .processor: .processor(at: a, used: length, thread: random.pick(TraceThread.allCases))
    }
  }

  /// A record of that kind, of whatever numbers, or of some that are at most so far from zero.
  private func record(
    _ kind: PackedTrace.Kind, _ random: inout SeededRandom, upTo most: Int64? = nil
  ) -> TraceRecord {
    TraceRecord(
      event(kind, &random, most), client: UInt32(truncatingIfNeeded: number(&random, most)),
      line: UInt32(truncatingIfNeeded: number(&random, most)))
  }

  @Test func recordsOfAllKindsComeBackAsTheyWereWhateverIsInThem() throws {
    try search(upTo: 200) { random in
      let kinds = PackedTrace.Kind.allCases.shuffled(using: &random)
      let records = (kinds + kinds.shuffled(using: &random)).map { record($0, &random) }
      let room = records.count * PackedTrace.mostBytes
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
      defer { bytes.deallocate() }
      var packer = TracePacker(at: bytes)
      for record in records {
        let before = packer.count(from: bytes)
        packer.write(record)
        let length = packer.count(from: bytes) - before
        try hold(length <= PackedTrace.mostBytes, "\(length) bytes for \(record)")
      }
      var unpacker = TraceUnpacker(at: bytes)
      for record in records {
        try hold(!unpacker.isAtEnd, "an end before \(record)")
        let read = unpacker.read()
        try hold(read == record, "\(read), not \(record)")
      }
    }
  }

  /// All that is as large as can be, each number as far as can be from the one before it.
  @Test func theLongestOfRecordsFindsRoom() {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 64 * PackedTrace.mostBytes)
    defer { bytes.deallocate() }
    var packer = TracePacker(at: bytes)
    var longest = 0
    for turn in 0..<8 {
      let isEven = turn.isMultiple(of: 2)
      let far = isEven ? Int64.min + 1 : 0
      let half: Int64 = isEven ? 1 << 62 : -(1 << 62)
      let (near, other) = (Instant(nanoseconds: half), Instant(nanoseconds: -half))
      let events: [TraceEvent] = [
        .line(
          arrived: near, begun: other, decoded: near, planned: other, done: near,
          processor: Interval(nanoseconds: far), method: isEven ? 0 : .max),
        .start(
          voice: UInt64(bitPattern: far), frame: far, heard: other, at: near, cue: far, plan: far, isTrack: isEven),
      ]
      for event in events {
        let before = packer.count(from: bytes)
        packer.write(TraceRecord(event, client: isEven ? 0 : .max, line: isEven ? .max : 0))
        longest = max(longest, packer.count(from: bytes) - before)
      }
    }
    #expect((70...PackedTrace.mostBytes).contains(longest))
  }

  @Test func whatFillsManyBlocksComesBackFromAnyPlaceOn() throws {
    try search(upTo: 20) { random in
      let length = 300
      let chunk = TraceChunk(length: length)
      // A full chunk adds up what it has.
      let records = (0..<length).map { _ in record(random.pick(PackedTrace.Kind.allCases), &random, upTo: 1 << 50) }
      for (count, one) in records.enumerated() {
        chunk.append(one)
        try hold((chunk.summary != nil) == (count == length - 1), "a summary after \(count)")
      }
      try hold(chunk.byteCount >= 2 * TraceChunk.blockLength, "all in one block")
      for _ in 0..<20 {
        let first = random.next(below: length)
        let offsets = first..<first + 1 + random.next(below: length - first)
        let most = 1 + random.next(below: length)
        var seen: [TraceRecord] = []
        let wasWhole = chunk.visit(offsets) { record in
          seen.append(record)
          return seen.count < most
        }
        try hold(seen == Array(records[offsets].prefix(most)), "others than \(offsets), at most \(most)")
        try hold(wasWhole == (offsets.count < most), "whole: \(wasWhole)")
      }
    }
  }

  /// Lines that are answered, their promises and starts, periods, and beats that are told.
  @Test func aFullTableOfWhatIsUsualTakesAThirdOfWhatItsRecordsWould() {
    var random = SeededRandom(seed: 1)
    var table = TraceTable()
    var now = Instant(nanoseconds: 81_234_567_890_123)
    func later(_ most: Int64) -> Instant {
      now += Interval(nanoseconds: random.integer(300...most))
      return now
    }
    var (id, frame): (Int64, Int64) = (0, 0)
    while table.count < TraceTable.capacity {
      id += 1
      let line = UInt32(truncatingIfNeeded: id)
      let (arrived, begun, decoded) = (later(4_000_000), later(9_000), later(9_000))
      let planned = later(9_000)
      table.append(
        TraceRecord(
          .start(
            voice: UInt64(id) << 8 | 3, frame: frame + 480, heard: now + .milliseconds(9), at: later(4_000), cue: 0,
            isTrack: false), client: 2, line: line))
      table.append(
        TraceRecord(
          .asked(id: id, asked: .distantPast, scheduled: now + .milliseconds(8), at: now, subject: .sound), client: 2,
          line: line))
      table.append(
        TraceRecord(
          .line(
            arrived: arrived, begun: begun, decoded: decoded, planned: planned, done: later(9_000),
            processor: now - begun, method: 41), client: 2, line: line))
      for client in 2..<4 as Range<UInt32> {
        table.append(
          TraceRecord(
            .told(number: id / 3, due: now, queued: later(20_000), written: later(60_000), subject: .beat),
            client: client))
      }
      for _ in 0..<3 {
        let due = now
        table.append(
          TraceRecord(
            .period(
              first: frame, due: due, woken: later(90_000), done: later(200_000), heard: now + .milliseconds(7),
              frames: 128)))
        frame += 128
        now += .microseconds(2_400)
      }
    }
    #expect(table.byteCount <= TraceTable.capacity * MemoryLayout<TraceRecord>.stride / 3)
  }

  @Test func whoReadsWhatWasKeptSeesNothingOfWhatIsRecordedMeanwhile() throws {
    var table = TraceTable(capacity: 4_096)
    func add(_ numbers: Range<Int>) {
      for number in numbers {
        table.append(
          TraceRecord(
            .errand(begun: Instant(nanoseconds: Int64(number) << 20), done: .distantFuture), line: UInt32(number)))
      }
    }
    // In the middle of a chunk, so that what is read and what is written share it, and a block.
    add(0..<6_030)
    let kept = table.kept
    let (isOver, wrong) = (Flag(), Flag())
    let reader = try RealTimeThread(name: "reader", priority: nil) {
      for _ in 0..<20 {
        var next = UInt32(kept.numbers.lowerBound)
        kept.visit { record in
          if record.line != next { wrong.value.store(true, ordering: .relaxed) }
          next += 1
        }
        if next != UInt32(kept.numbers.upperBound) { wrong.value.store(true, ordering: .relaxed) }
      }
      isOver.value.store(true, ordering: .releasing)
    }
    var number = 6_030
    repeat {
      add(number..<number + 100)
      number += 100
    } while !isOver.value.load(ordering: .acquiring) && number < 4_000_000
    reader.join()
    let isWrong = wrong.value.load(ordering: .relaxed)
    #expect(!isWrong)
    #expect(kept.numbers == 1_934..<6_030)
  }
}

private final class Flag: Sendable {
  let value = Atomic(false)
}
