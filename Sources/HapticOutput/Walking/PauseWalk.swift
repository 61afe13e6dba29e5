// SPDX-License-Identifier: Apache-2.0

import Timing

/// Takes an output through the engine's pauses, one after another, however late it comes by.
struct PauseWalk: Sendable {
  /// What an output has to do about a pause.
  enum Step: Equatable {
    /// To be silent, having done all up to the engine's instant `hold.last`.
    case stand(EngineClock.Hold)
    /// To put out again what is felt at the engine's instant `hold.at`, at this instant of the clock.
    case goOn(EngineClock.Hold, at: Instant)
  }

  /// The engine's time.
  private(set) var clock = EngineClock()
  private var number = 0
  private(set) var isStanding = false

  /// Goes by `clock` from here on. An output that begins at `start` knows nothing of the pauses that are over by then.
  mutating func follow(_ clock: EngineClock, beginningAt start: Instant? = nil) {
    self.clock = clock
    if let start { pass(to: start) }
  }

  /// Knows nothing, at `instant` of the clock, of the pauses that are over by then.
  mutating func rejoin(at instant: Instant) {
    let standing = isStanding ? number : nil
    pass(to: instant)
    isStanding = number == standing
  }

  private mutating func pass(to start: Instant) {
    while number < clock.count, clock.hold(number)?.resumedAt.map({ $0 <= start }) ?? (clock.hold(number) == nil) {
      number += 1
    }
  }

  /// When the next step is due, on the clock; nil when nothing is known of one.
  var nextDue: Instant? { clock.hold(number).flatMap { isStanding ? $0.resumedAt : $0.stoppedAt } }

  /// The next step that is due by `instant` of the clock.
  mutating func next(by instant: Instant) -> Step? {
    while number < clock.count, clock.hold(number) == nil { number += 1 }
    guard let hold = clock.hold(number), let due = nextDue, due <= instant else { return nil }
    isStanding.toggle()
    if isStanding { return .stand(hold) }
    number += 1
    return .goOn(hold, at: due)
  }
}
