// SPDX-License-Identifier: Apache-2.0

import Timing

/// What the records since an instant come to.
public struct TraceTally: Equatable, Sendable {
  /// Of what is counted, how often it was, and the longest and the sum of what it took.
  public struct Count: Equatable, Sendable {
    /// How often.
    public var number = 0
    /// All of it together.
    public var sum = Interval.zero
    /// The longest of all; zero while nothing is counted.
    public var most = Interval.zero
    /// What the last one took; zero while nothing is counted.
    public var latest = Interval.zero
    /// How many were refused.
    public var refused = 0

    /// Nothing counted.
    public init() {}

    mutating func add(_ taken: Interval, late: Interval = .zero) {
      number += 1
      sum += taken
      most = max(most, taken)
      latest = max(latest, late)
    }
  }

  /// Periods: what rendering took, and how late the thread woke.
  public private(set) var periods = Count()
  /// Frames that were rendered in them.
  public private(set) var frames: Int64 = 0
  /// Frames that were not heard.
  public private(set) var framesLost: Int64 = 0
  /// The longest that rendering took, as a share of its period.
  public private(set) var mostLoad = 0.0
  /// Lines of each client: the processor time that they took.
  public private(set) var lines: [UInt32: Count] = [:]
  /// Writes to each haptic device: what they took, and how late they were begun.
  public private(set) var writes: [UInt8: Count] = [:]
  /// How late clients had been told of beats, in order.
  public private(set) var beats: [Interval] = []

  /// The records of `table` of what was over at `since` or later; `rate` is the output's frames a second.
  public init(_ table: borrowing TraceTable, since: Instant, rate: Int) {
    table.visit { take($0, since, rate) }
    beats.sort()
  }

  private mutating func take(_ record: TraceRecord, _ since: Instant, _ rate: Int) {
    switch record.event {
    case .period(_, let due, let woken, let done, _, let count) where done >= since:
      periods.add(done - woken, late: due == .distantPast ? .zero : woken - due)
      frames += Int64(count)
      let length = Interval.frames(Int64(count), rate: rate)
      if length > .zero { mostLoad = max(mostLoad, (done - woken).seconds / length.seconds) }
    case .lost(_, let count, _, let noticed, _) where noticed >= since: framesLost += count
    case .line(_, _, _, _, let done, let processor, _) where done >= since:
      lines[record.client, default: Count()].add(processor)
    case .wrote(let due, _, let woken, let done, let device, let isRefused) where done >= since:
      writes[device, default: Count()].add(done - woken, late: woken - due)
      if isRefused { writes[device]?.refused += 1 }
    case .told(_, let due, _, let written, let subject)
    where (subject == .beat || subject == .musicBeat) && written >= since && written != .distantFuture:
      beats.append(max(written - due, .zero))
    default: break
    }
  }

  /// Rendering's share of the time that was rendered.
  public func load(rate: Int) -> Double {
    let length = Interval.frames(frames, rate: rate).seconds
    return length > 0 ? periods.sum.seconds / length : 0
  }

  /// How late a share of the beats was told at most; nil where there were none.
  public func beatLateness(_ share: Double) -> Interval? {
    beats.isEmpty ? nil : beats[min(beats.count - 1, Int(Double(beats.count) * share))]
  }
}
