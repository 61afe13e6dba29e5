// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// What one line sets off by the thousand, such as the end of all that was planned, is told a few at a time: no subscriber is
/// to be closed for not having read so much at once, and no line may cost as much as telling all of it to everybody.
struct PacedTelling {
  /// How many are told at once, and when the next may be.
  static let most = 8
  static let pause = Interval.microseconds(1_250)

  /// One that waits; it is made when it is told, for a pause may move what it tells of meanwhile.
  typealias Waiting = (make: (EngineClock) -> OutgoingNotification, cause: Cause?)

  private var waiting: [Waiting] = []
  private var head = 0
  private var told = 0
  private var pausedUntil = Instant.distantPast

  /// How many wait.
  var count: Int { waiting.count - head }

  /// When the next are to be told.
  var next: Instant? { count == 0 ? nil : pausedUntil }

  mutating func add(_ cause: Cause?, _ make: @escaping (EngineClock) -> OutgoingNotification) {
    waiting.append((make, cause))
  }

  /// Takes the next that may be told by `now`.
  mutating func take(by now: Instant) -> Waiting? {
    guard count > 0 else { return nil }
    if now >= pausedUntil { (told, pausedUntil) = (0, now + Self.pause) }
    guard told < Self.most else { return nil }
    return takeAny()
  }

  /// Takes the next, whatever was told just now.
  mutating func takeAny() -> Waiting? {
    guard count > 0 else { return nil }
    defer {
      told += 1
      head += 1
      if count == 0 { (waiting, head) = ([], 0) }
    }
    return waiting[head]
  }
}

extension Engine {
  /// Tells clients that something does not happen: at once, or behind much else of the kind.
  mutating func notifyInTurn<Payload: WireNotification>(
    _ payload: @autoclosure @escaping () -> Payload, at instant: Instant, by cause: Cause?
  ) {
    paced.add(cause) { clock in
      OutgoingNotification(payload().told(by: clock), tUs: clock.told(instant).microseconds)
    }
    tellPaced()
  }

  /// Tells what may be told by now.
  mutating func tellPaced() {
    while let next = paced.take(by: turn.clockNow) { perform(.notify(next.make(clock), next.cause)) }
  }
}
