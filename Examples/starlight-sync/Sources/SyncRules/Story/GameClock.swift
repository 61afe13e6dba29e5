// SPDX-License-Identifier: Apache-2.0

/// The game's clock: the monotonic one without the time of interruptions, in microseconds. It never goes back.
struct GameClock: Equatable, Sendable {
  private(set) var interruption: Interruption?
  /// How much the game is behind the monotonic clock.
  private(set) var behindUs: Int64 = 0
  private var nowUs: Int64 = .min

  /// All stands still.
  struct Interruption: Equatable, Sendable {
    let sinceUs: Int64
    /// Until when "welcome back" stands; nil before it.
    var welcomeUntilUs: Int64?
    var hasAskedToGoOn = false
  }

  /// The game's instant of one of the monotonic clock's; at most when the interruption began, where there is one, and
  /// never before the last.
  mutating func instant(atUs us: Int64) -> Int64 {
    let reached = interruption.map { min(us, $0.sinceUs) } ?? us
    nowUs = max(nowUs, reached - behindUs)
    return nowUs
  }

  /// False where all stands still already: then it only goes back to before "welcome back".
  mutating func interrupt(atUs us: Int64) -> Bool {
    guard let interruption else {
      interruption = Interruption(sinceUs: max(us, nowUs == .min ? us : nowUs + behindUs))
      return true
    }
    self.interruption = Interruption(sinceUs: interruption.sinceUs)
    return interruption.hasAskedToGoOn
  }

  /// Whether "welcome back" begins.
  mutating func welcome(untilUs: Int64) -> Bool {
    guard interruption != nil, interruption?.welcomeUntilUs == nil else { return false }
    interruption?.welcomeUntilUs = untilUs
    return true
  }

  /// When it is to go on, once, as soon as "welcome back" has stood.
  mutating func asksToGoOn(atUs us: Int64) -> Int64? {
    guard let untilUs = interruption?.welcomeUntilUs, untilUs <= us, interruption?.hasAskedToGoOn == false else {
      return nil
    }
    interruption?.hasAskedToGoOn = true
    return untilUs
  }

  /// All goes on in place. False where nothing stood still.
  mutating func goOn(atUs us: Int64) -> Bool {
    guard let interruption else { return false }
    behindUs += max(us - interruption.sinceUs, 0)
    self.interruption = nil
    return true
  }
}
