// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// Notifications of which one line can cause thousands, such as those of plans that are called off, are sent a few at a time:
/// a subscriber would else be closed for not reading them fast enough, and that one line would hold up all others. Clients by
/// whose plans they are take turns, so that nobody waits behind a thousand of another's.
struct PacedTelling {
  /// How many are told at once, and when the next may be.
  static let most = 8
  static let pause = Interval.microseconds(1_250)
  /// Where control comes by late it tells as much at once as in the pauses that it missed, at most in so many of them.
  private static let mostMissed: Int64 = 7

  /// One that waits; it is made when it is told, for a pause may move what it tells of meanwhile.
  typealias Waiting = (make: (EngineClock) -> OutgoingNotification, cause: Cause?)

  /// What waits for one client's sake, in the order in which it came.
  private struct Queue {
    var waiting: [Waiting] = []
    var head = 0
  }

  private var queues: [ClientID?: Queue] = [:]
  /// The clients for whose sake something waits, whose turn is next first.
  private var turns: [ClientID?] = []
  /// How many wait.
  private(set) var count = 0
  /// How many may be told until the pause is over.
  private var left = 0
  /// Whether what waits had to wait for the pause.
  private var hasWaited = false
  private var pausedUntil = Instant.distantPast

  /// When the next are to be told.
  var next: Instant? { count == 0 ? nil : pausedUntil }

  mutating func add(_ cause: Cause?, _ make: @escaping (EngineClock) -> OutgoingNotification) {
    if let place = queues.index(forKey: cause?.client) {
      queues.values[place].waiting.append((make, cause))
    } else {
      turns.append(cause?.client)
      queues[cause?.client] = Queue(waiting: [(make, cause)])
    }
    count += 1
  }

  /// Takes the next that may be told by `now`.
  mutating func take(by now: Instant) -> Waiting? {
    guard count > 0 else { return nil }
    if now >= pausedUntil {
      let missed = hasWaited ? (now - pausedUntil).nanoseconds / Self.pause.nanoseconds : 0
      left = Self.most * Int(1 + min(missed, Self.mostMissed))
      pausedUntil = now + Self.pause
    }
    guard left > 0 else {
      hasWaited = true
      return nil
    }
    left -= 1
    return takeAny()
  }

  /// Takes the next, whatever was told just now.
  mutating func takeAny() -> Waiting? {
    guard count > 0 else { return nil }
    let client = turns.removeFirst()
    guard var queue = queues.removeValue(forKey: client) else { return nil }
    let next = queue.waiting[queue.head]
    queue.head += 1
    count -= 1
    if queue.head < queue.waiting.count {
      queues[client] = queue
      turns.append(client)
    }
    if count == 0 { hasWaited = false }
    return next
  }
}

extension Engine {
  /// Tells clients that something does not happen: at once, or behind much else of the kind.
  mutating func notifyInTurn<Payload: WireNotification>(
    _ payload: @autoclosure @escaping () -> Payload, at instant: Instant, by cause: Cause?
  ) {
    shares.oweTelling(for: cause)
    paced.add(cause) { clock in
      OutgoingNotification(payload().told(by: clock), tUs: clock.told(instant).microseconds)
    }
    tellPaced()
  }

  /// Tells what may be told by now.
  mutating func tellPaced() {
    while let next = paced.take(by: turn.clockNow) {
      shares.noteTold(for: next.cause)
      perform(.notify(next.make(clock), next.cause))
    }
  }
}
