// SPDX-License-Identifier: Apache-2.0

import Partitioning
import Timing

/// What some records come to, to be added to what others do.
struct TallyPart: Sendable {
  /// Lines of a client: how many, and the processor time that they took, in all and at the most.
  struct Lines {
    var client: UInt32
    var number: UInt32
    var sum, most: Interval
  }

  var periods = TraceTally.Count()
  var frames: Int64 = 0
  var framesLost: Int64 = 0
  /// The longest that rendering so many frames took.
  var slowest: [(frames: Int32, taken: Interval)] = []
  /// In order of clients.
  var lines: [Lines] = []
  var writes: [(device: UInt8, count: TraceTally.Count)] = []
  /// How late clients had been told of beats, in order.
  var beats: [Interval] = []
  /// When the first of what is counted was over; the distant future where nothing is.
  var earliest = Instant.distantFuture

  /// The lines of a client; nil where there are none.
  func lines(of client: UInt32) -> Lines? {
    let place = lines.partitioningIndex { $0.client >= client }
    return place < lines.count && lines[place].client == client ? lines[place] : nil
  }

  /// How many beats were told so late at the most.
  func beats(upTo late: Interval) -> Int { beats.partitioningIndex { $0 > late } }
}

/// Counts records one by one.
struct TallyCounting {
  private var counted = TallyPart()
  private var slowest: [Int32: Interval] = [:]
  private var lines: [UInt32: TallyPart.Lines] = [:]
  private var writes: [UInt8: TraceTally.Count] = [:]

  /// Counts a record of what was over at `since` or later, and passes over any other.
  mutating func take(_ record: TraceRecord, since: Instant) {
    switch record.event {
    case .period(_, let due, let woken, let done, _, let count) where done >= since:
      counted.periods.add(done - woken, late: due == .distantPast ? .zero : woken - due)
      counted.frames += Int64(count)
      slowest[count] = max(slowest[count] ?? .zero, done - woken)
      note(done)
    case .lost(_, let count, _, let noticed, _) where noticed >= since:
      counted.framesLost += count
      note(noticed)
    case .line(_, _, _, _, let done, let processor, _) where done >= since:
      var of = lines[record.client] ?? TallyPart.Lines(client: record.client, number: 0, sum: .zero, most: .zero)
      of.number += 1
      of.sum += processor
      of.most = max(of.most, processor)
      lines[record.client] = of
      note(done)
    case .wrote(let due, _, let woken, let done, let device, let isRefused, _, _) where done >= since:
      writes[device, default: TraceTally.Count()].add(done - woken, late: woken - due)
      if isRefused { writes[device]?.refused += 1 }
      note(done)
    case .told(_, let due, _, let written, let subject)
    where (subject == .beat || subject == .musicBeat) && written >= since && written != .distantFuture:
      counted.beats.append(max(written - due, .zero))
      note(written)
    default: break
    }
  }

  private mutating func note(_ over: Instant) { counted.earliest = min(counted.earliest, over) }

  /// What was counted.
  var part: TallyPart {
    var part = counted
    part.slowest = slowest.map { ($0.key, $0.value) }
    part.lines = lines.values.sorted { $0.client < $1.client }
    part.writes = writes.map { ($0.key, $0.value) }
    part.beats.sort()
    return part
  }
}
