// SPDX-License-Identifier: Apache-2.0

import Timing

/// Whether the device rests, closed while nothing is to be heard, and what can be promised until it plays again: pure.
///
/// It is the control side's own, which promises by it; the threads that close and open the device follow. So what is promised
/// does not hang on how far those have come.
public struct DeviceRest: Equatable, Sendable {
  /// How much later than the longest that a device took so far it is counted on.
  public static let margin = Interval.milliseconds(5)

  /// What there is of a rest.
  public enum Phase: Equatable, Sendable {
    /// None: the device plays, or there is none.
    case none
    /// It is being let go.
    case closing
    /// Nothing is heard until somebody wants it.
    case resting
    /// It is wanted again, and counted on from that instant on.
    case waking(ready: Instant)
  }

  /// What there is of it now.
  public private(set) var phase = Phase.none

  /// No rest.
  public init() {}

  /// The device is to be let go.
  public mutating func begin() { phase = .closing }

  /// It is wanted at `now`, and takes `wake` at the longest; false where it did not rest.
  public mutating func end(at now: Instant, wake: Interval) -> Bool {
    guard phase == .resting || phase == .closing, let ready = earliest(at: now, wake: wake) else { return false }
    phase = .waking(ready: ready)
    return true
  }

  /// Takes in whether a device plays on the plan (`isPlaying`), is closed (`isClosed`), or is lost (`isLost`).
  ///
  /// One that plays before it is counted on may be the one that was about to be let go.
  public mutating func follow(isPlaying: Bool, isClosed: Bool, isLost: Bool, at now: Instant) {
    switch phase {
    case .none: break
    case .closing, .resting: if isLost { phase = .none } else if isClosed { phase = .resting }
    case .waking(let ready): if isLost || (isPlaying && now >= ready) { phase = .none }
    }
  }

  /// The earliest instant at which what is asked for at `now` is heard, where the device takes `wake` at the longest; nil where
  /// nothing but the output's own reach limits it.
  public func earliest(at now: Instant, wake: Interval) -> Instant? {
    switch phase {
    case .none: nil
    // It has to be closed first: as long again is allowed for that.
    case .closing: now + wake + wake + Self.margin
    case .resting: now + wake + Self.margin
    // Of one that is late nobody knows more than how long it takes.
    case .waking(let ready): now < ready ? ready : now + wake + Self.margin
    }
  }
}
