// SPDX-License-Identifier: Apache-2.0

import Timing

/// What the records since an instant come to: by what each chunk of them came to when it was full, and record by record only of those
/// that lie partly before that instant.
public struct TraceTally: Sendable {
  /// Of what is counted, how often it was, and the longest and the sum of what it took.
  public struct Count: Equatable, Sendable {
    /// How often.
    public var number = 0
    /// All of it together.
    public var sum = Interval.zero
    /// The longest of all; zero while nothing is counted.
    public var most = Interval.zero
    /// How late the latest was; zero while nothing is counted.
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

    mutating func add(_ other: Count) {
      number += other.number
      sum += other.sum
      most = max(most, other.most)
      latest = max(latest, other.latest)
      refused += other.refused
    }
  }

  /// Periods: what rendering took, and how late the thread woke.
  public private(set) var periods = Count()
  /// Frames that were rendered in them.
  public private(set) var frames: Int64 = 0
  /// Frames that were not heard.
  public private(set) var framesLost: Int64 = 0
  /// Writes to each haptic device: what they took, and how late they were begun.
  public private(set) var writes: [UInt8: Count] = [:]
  /// How many times clients had been told of a beat.
  public private(set) var beats = 0
  private var parts: [TallyPart] = []

  /// What of `records` was over at `since` or later.
  public init(_ records: KeptRecords, since: Instant) {
    var counting = TallyCounting()
    records.visitPieces { piece in
      if let summary = piece.summary {
        if summary.over < since { return }
        if piece.isWhole, summary.tally.earliest >= since { return add(summary.tally) }
      }
      piece.visit { counting.take($0, since: since) }
    }
    add(counting.part)
  }

  private mutating func add(_ part: TallyPart) {
    periods.add(part.periods)
    frames += part.frames
    framesLost += part.framesLost
    for (device, count) in part.writes { writes[device, default: Count()].add(count) }
    beats += part.beats.count
    parts.append(part)
  }

  /// The lines of a client: the processor time that they took.
  public func lines(of client: UInt32) -> Count {
    var count = Count()
    for part in parts {
      guard let lines = part.lines(of: client) else { continue }
      count.number += Int(lines.number)
      count.sum += lines.sum
      count.most = max(count.most, lines.most)
    }
    return count
  }

  /// Rendering's share of the time that was rendered, at `rate` frames a second.
  public func load(rate: Int) -> Double {
    let length = Interval.frames(frames, rate: rate).seconds
    return length > 0 ? periods.sum.seconds / length : 0
  }

  /// The longest that rendering took, as a share of its period.
  public func mostLoad(rate: Int) -> Double {
    var most = 0.0
    for part in parts {
      for (frames, taken) in part.slowest {
        let length = Interval.frames(Int64(frames), rate: rate)
        if length > .zero { most = max(most, taken.seconds / length.seconds) }
      }
    }
    return most
  }

  /// How late a share of the beats was told at most; nil where there were none.
  public func beatLateness(_ share: Double) -> Interval? {
    guard beats > 0 else { return nil }
    let wanted = min(beats - 1, Int(Double(beats) * share))
    // The least of which more than so many are at most as late: they are in order only within each part.
    var least = Int64.max
    var most = Int64.min
    for part in parts {
      least = min(least, part.beats.first?.nanoseconds ?? .max)
      most = max(most, part.beats.last?.nanoseconds ?? .min)
    }
    while least < most {
      let middle = least + (most - least) / 2
      let upToThere = parts.reduce(0) { $0 + $1.beats(upTo: Interval(nanoseconds: middle)) }
      if upToThere > wanted { most = middle } else { least = middle + 1 }
    }
    return Interval(nanoseconds: least)
  }
}
