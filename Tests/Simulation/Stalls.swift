// SPDX-License-Identifier: Apache-2.0

/// When the daemon stood still, and what of its plans that made late: what was to be handed out then, for an instant that
/// was past when it went on.
struct Stalls {
  /// How far ahead plans are handed out.
  private static let horizonUs: Int64 = 100_000
  /// When what is late happens after the daemon goes on, at the latest: the mixer is reached, and a track is made ready.
  private static let catchingUpUs: Int64 = 40_000

  private var stalls: [ClosedRange<Int64>] = []

  /// One that follows another before that is caught up with is one with it.
  mutating func note(_ stall: ClosedRange<Int64>) {
    if let last = stalls.last, stall.lowerBound <= last.upperBound + Self.catchingUpUs {
      stalls[stalls.count - 1] = last.lowerBound...stall.upperBound
    } else {
      stalls.append(stall)
    }
  }

  /// Whether it stood still at an instant.
  func contain(_ instant: Int64) -> Bool { stalls.contains { $0.contains(instant) } }

  /// Whether it stood still in any of a span of instants.
  func meet(_ span: ClosedRange<Int64>) -> Bool { stalls.contains { $0.overlaps(span) } }

  /// When what was asked for at an instant, and for then, has happened at the latest.
  func end(of instant: Int64) -> Int64 {
    stalls.first { $0.contains(instant) }.map { $0.upperBound + Self.catchingUpUs } ?? instant
  }

  /// When what was planned for an instant may happen. Music that was handed out and `isTakenBack` for another verb waits
  /// for a stream, and so may be late for any stall of its instant.
  func span(of instant: Int64, isTakenBack: Bool = false) -> ClosedRange<Int64> {
    let latest = instant - (isTakenBack ? 0 : Self.horizonUs)
    let late = stalls.first { latest >= $0.lowerBound && instant <= $0.upperBound + Self.catchingUpUs }
    return instant...max(instant, late.map { $0.upperBound + Self.catchingUpUs } ?? instant)
  }
}
