// SPDX-License-Identifier: Apache-2.0

/// Which instant is which moment of a run, through its pauses. Instants are on the daemon's clock, moments count from the
/// run's beginning; both are whole microseconds.
///
/// Between two pauses lies a stretch, in which one differs from the other by the same amount. A stretch may begin some way
/// before the moment of the pause: that is the count-in, whose moments were lived through before.
public struct RunClock: Equatable, Sendable {
  /// What an instant is.
  public enum Place: Equatable, Sendable {
    /// That moment of the run.
    case moment(Int64)
    /// That moment for the second time, before the run goes on.
    case countIn(Int64)
    /// In a pause.
    case paused
    /// Before the oldest pause that is remembered.
    case forgotten
  }

  private struct Stretch: Equatable {
    /// The first instant.
    var from: Int64
    /// The instant of moment 0.
    var zero: Int64
    /// The first moment that is new.
    var first: Int64
    /// The first instant that is not in it any more.
    var end: Int64?

    /// The first moment after it.
    var endMoment: Int64 { end.map { $0 - zero } ?? .max }
  }

  /// How many stretches in which something new came are remembered, with as many pauses between them that a tap may still be stamped
  /// before: it would have to arrive that late. Others, in which the run was held before its count-in was over, are forgotten first.
  public static let mostStretches = 64

  private var stretches: [Stretch]

  /// A run whose moment 0 is at `zero`.
  public init(zero: Int64) { stretches = [Stretch(from: .min, zero: zero, first: .min, end: nil)] }

  private var last: Stretch { stretches[stretches.count - 1] }

  /// The instant of moment 0 as all that is to come is counted from: nobody need have heard it.
  public var zero: Int64 { last.zero }

  /// The instant from which nothing goes on; nil while the run goes on.
  public var pausedFrom: Int64? { last.end }

  /// The last instant at which the run was held or let go: nothing that comes can be put before it.
  public var changed: Int64 { last.end ?? last.from }

  /// The instant from which nothing comes for the second time; nil before any pause was over.
  public var goesOn: Int64? { last.first == .min ? nil : last.zero + last.first }

  /// The moment at which the run stands or is at `instant`, whatever is to come: in a count-in one that comes for the second
  /// time.
  public func heardMoment(at instant: Int64) -> Int64 {
    let stretch = stretches.last { $0.from <= instant } ?? stretches[0]
    return min(instant, stretch.end ?? .max) - stretch.zero
  }

  /// The last moment that has been lived through by `instant`, whatever is heard again.
  public func moment(at instant: Int64) -> Int64 {
    let stretch = stretches.last { $0.from <= instant } ?? stretches[0]
    let reached = stretch.end.map { min(instant, $0 - 1) } ?? instant
    let moment = reached.subtractingReportingOverflow(stretch.zero)
    return max(moment.overflow ? .min : moment.partialValue, stretch.first == .min ? .min : stretch.first - 1)
  }

  /// What an instant is.
  public func place(of instant: Int64) -> Place {
    guard let stretch = stretches.last(where: { $0.from <= instant }) else { return .forgotten }
    if let end = stretch.end, instant >= end { return .paused }
    let (moment, overflow) = instant.subtractingReportingOverflow(stretch.zero)
    if overflow { return .forgotten }
    return moment < stretch.first ? .countIn(moment) : .moment(moment)
  }

  /// The instant at which a moment comes, or came, for the first time.
  public func instant(of moment: Int64) -> Int64 {
    let stretch = stretches.first { $0.endMoment > moment } ?? last
    return stretch.zero + moment
  }

  /// The instant at which a moment comes, or came; nil while the run stands still before it.
  public func coming(_ moment: Int64) -> Int64? {
    // What was not asked for before a pause came before it all the same.
    if moment < last.first { return instant(of: moment) }
    if last.end != nil, moment >= last.endMoment { return nil }
    return last.zero + moment
  }

  /// Stands still from `instant` on, which lies in the last stretch.
  public mutating func pause(at instant: Int64) {
    guard last.end == nil else { return }
    stretches[stretches.count - 1].end = max(instant, last.from)
  }

  /// Goes on from `instant` on, which is not before the pause, `countIn` before the moment at which it stands; answers by
  /// how much all that is to come has moved.
  @discardableResult
  public mutating func resume(at instant: Int64, countIn: Int64) -> Int64 {
    guard let end = last.end else { return 0 }
    let before = last
    let from = max(instant, end)
    let zero = from - (before.endMoment - countIn)
    stretches.append(Stretch(from: from, zero: zero, first: max(before.first, before.endMoment), end: nil))
    if stretches.count > Self.mostStretches {
      stretches.remove(at: stretches.dropLast().firstIndex { $0.endMoment <= $0.first } ?? 0)
    }
    return zero - before.zero
  }
}
