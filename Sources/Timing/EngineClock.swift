// SPDX-License-Identifier: Apache-2.0

/// The engine's time: the clock's, less what was paused. It stands while the engine is paused and then goes on in place.
///
/// All that is planned lies in engine time and so never moves; only what is told, and what clients write, is of the clock.
/// Where the engine stands at an instant, that instant itself is still to come: it is passed when the engine goes on.
public struct EngineClock: Equatable, Sendable {
  /// One pause, from where the engine stands to where it goes on.
  public struct Hold: Equatable, Sendable {
    /// The engine's instant before which it stands.
    public let at: Instant
    /// The clock's instant from which on it stands.
    public let stoppedAt: Instant
    /// How long it stands; nil as long as nobody knows.
    public fileprivate(set) var moved: Interval?

    /// The clock's instant at which the engine goes on; nil as long as nobody knows.
    public var resumedAt: Instant? { moved.map { stoppedAt + $0 } }
    /// The last instant of the engine before it stands.
    public var last: Instant { at - Interval(nanoseconds: 1) }
  }

  /// So many are remembered. Instants from before the oldest of them count as after those forgotten, stamps from before those as none.
  public static let most = 64

  /// Oldest first.
  private var holds: [Hold] = []
  /// How many were forgotten, and how long they were in all.
  private var forgotten = 0
  private var movedBefore = Interval.zero
  /// The clock's instant at which the last of those forgotten was over.
  private var knownFrom = Instant.distantPast

  /// The engine's time is the clock's.
  public init() {}

  /// How many pauses there have been, one that lasts included.
  public var count: Int { forgotten + holds.count }

  /// The pause of that number, from 0; nil for one that is forgotten, or has not been.
  public func hold(_ number: Int) -> Hold? {
    holds.indices.contains(number - forgotten) ? holds[number - forgotten] : nil
  }

  /// The pause that has no end yet, begun or about to begin.
  public var lasting: Hold? { holds.last.flatMap { $0.moved == nil ? $0 : nil } }

  /// How far engine time is behind the clock once it goes on.
  public var moved: Interval { holds.last.map { $0.stoppedAt - $0.at + ($0.moved ?? .zero) } ?? movedBefore }

  /// Lets the engine stand before `at`, an instant of its own that is to come. One that stands already does not stand again.
  public mutating func hold(at: Instant) {
    guard lasting == nil else { return }
    if holds.count == Self.most {
      let oldest = holds.removeFirst()
      movedBefore = oldest.stoppedAt - oldest.at + (oldest.moved ?? .zero)
      forgotten += 1
      knownFrom = oldest.resumedAt ?? oldest.stoppedAt
    }
    holds.append(Hold(at: at, stoppedAt: told(at), moved: nil))
  }

  /// Lets it go on after it has stood for `moved`, zero or more.
  public mutating func release(after moved: Interval) {
    guard lasting != nil else { return }
    holds[holds.count - 1].moved = max(moved, .zero)
  }

  /// The engine's time at an instant of the clock.
  public func now(at clock: Instant) -> Instant {
    for hold in holds.reversed() where clock >= hold.stoppedAt {
      guard let resumed = hold.resumedAt, clock >= resumed else { return hold.last }
      return hold.at + (clock - resumed)
    }
    return clock - movedBefore
  }

  /// The pause that began last by an instant of the clock, over or not; nil where none is known.
  public func begun(by clock: Instant) -> Hold? { holds.last { clock >= $0.stoppedAt } }

  /// The pause in which an instant of the clock lies, begun and not over; nil where the engine goes on.
  public func standing(at clock: Instant) -> Hold? {
    guard let hold = begun(by: clock) else { return nil }
    return hold.resumedAt.map { clock < $0 } ?? true ? hold : nil
  }

  /// When the next pause begins behind an instant of the clock.
  public func nextBegins(after clock: Instant) -> Instant? { holds.first { $0.stoppedAt > clock }?.stoppedAt }

  /// The engine's instant that a stamp of the clock means; nil where the engine stood then, or that is not known any more.
  public func stamp(at clock: Instant) -> Instant? {
    for hold in holds.reversed() where clock >= hold.stoppedAt {
      guard let resumed = hold.resumedAt, clock >= resumed else { return nil }
      return hold.at + (clock - resumed)
    }
    return clock < knownFrom ? nil : clock - movedBefore
  }

  /// The clock's instant at which an instant of the engine is, or will be unless a pause that lasts moves it.
  public func told(_ engine: Instant) -> Instant {
    for hold in holds.reversed() where engine >= hold.at {
      return engine + (hold.stoppedAt - hold.at) + (hold.moved ?? .zero)
    }
    return engine + movedBefore
  }

  /// The clock's instant at which an instant of the engine comes; nil as long as a pause keeps it from coming.
  public func due(_ engine: Instant) -> Instant? {
    if let lasting, engine >= lasting.at { return nil }
    return told(engine)
  }
}
