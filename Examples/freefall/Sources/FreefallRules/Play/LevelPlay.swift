// SPDX-License-Identifier: Apache-2.0

/// A level as it is played: attempt after attempt, until one reaches the goal and its word appears.
public struct LevelPlay: Equatable, Sendable {
  public let level: Level
  public let rules: Rules
  public private(set) var state: State = .ready
  /// The flight of now, or the last one; nil before the first.
  public private(set) var attempt: Attempt?

  /// What the level waits for.
  public enum State: Equatable, Sendable {
    /// A tap launches.
    case ready
    case playing
    /// Ready again at `untilUs`.
    case dead(untilUs: Int64)
    /// The word appears at `wordAtUs`.
    case complete(Finish, wordAtUs: Int64)
    /// The word stands there, until the player goes on.
    case over(Finish, CompletionWord)
    /// Since this instant; `isFlying` where a flight goes on afterwards.
    case paused(sinceUs: Int64, isFlying: Bool)
  }

  /// What a finished attempt brought.
  public struct Finish: Equatable, Sendable {
    public let points: LevelPoints
    public let flips: Int
    public let timeUs: Int64
    public let crossings: Int
  }

  /// What happens in play, at its instant.
  public enum Event: Equatable, Sendable {
    case launched(atUs: Int64)
    case flipped(atUs: Int64)
    case collected(index: Int, atUs: Int64)
    case died(atUs: Int64)
    case reachedGoal(Finish, atUs: Int64)
    case said(CompletionWord, atUs: Int64)
  }

  /// A level that waits for its launch.
  public init(_ level: Level, rules: Rules) {
    self.level = level
    self.rules = rules
  }

  /// Since when the background breathes; nil while it does not.
  public var breathesSinceUs: Int64? { state == .playing ? attempt?.launchedUs : nil }

  /// The running score of the attempt.
  public var runningScore: Int {
    LevelPoints.running(collected: attempt?.isCollected.count(where: \.self) ?? 0, rules: rules.score)
  }

  /// Lets time pass to `us`. `last` is the word before, which is not said again.
  public mutating func advance(
    toUs us: Int64, last: CompletionWord?, using chance: inout some RandomNumberGenerator
  ) -> [Event] {
    var events: [Event] = []
    if state == .playing, let flown = attempt?.advance(toUs: us) { take(flown, into: &events) }
    switch state {
    case .dead(let untilUs) where untilUs <= us:
      state = .ready
      attempt = nil
    case .complete(let finish, let wordAtUs) where wordAtUs <= us:
      let word = CompletionWord.drawn(
        flips: finish.flips, parFlips: level.parFlips, crossings: finish.crossings, last: last, rules: rules.words,
        using: &chance)
      state = .over(finish, word)
      events.append(.said(word, atUs: wordAtUs))
    default: break
    }
    return events
  }

  /// A tap at `us`, to which time has passed: it launches or flips, or does nothing.
  public mutating func tap(atUs us: Int64) -> [Event] {
    switch state {
    case .ready:
      attempt = Attempt(level: level, rules: rules.ball, launchedUs: us)
      state = .playing
      return [.launched(atUs: us)]
    case .playing:
      guard let result = attempt?.flip(atUs: us) else { return [] }
      var events: [Event] = []
      take(result.events, into: &events)
      return result.isFlipped ? events + [.flipped(atUs: us)] : events
    case .dead, .complete, .over, .paused: return []
    }
  }

  /// Holds all at `us`, in flight or before it. False where there is nothing to hold.
  public mutating func pause(atUs us: Int64) -> Bool {
    guard state == .playing || state == .ready else { return false }
    state = .paused(sinceUs: us, isFlying: state == .playing)
    return true
  }

  /// Goes on in place: the time between does not count. False where nothing is paused.
  public mutating func resume(atUs us: Int64) -> Bool {
    guard case .paused(let sinceUs, let isFlying) = state else { return false }
    attempt?.shift(byUs: max(us - sinceUs, 0))
    state = isFlying ? .playing : .ready
    return true
  }

  private mutating func take(_ flown: [Attempt.Event], into events: inout [Event]) {
    for event in flown {
      switch event {
      case .collected(let index, let atUs): events.append(.collected(index: index, atUs: atUs))
      case .ended(.died, let atUs):
        state = .dead(untilUs: atUs + rules.play.deadUs)
        events.append(.died(atUs: atUs))
      case .ended(.reachedGoal, let atUs): reachGoal(atUs: atUs, into: &events)
      }
    }
  }

  private mutating func reachGoal(atUs us: Int64, into events: inout [Event]) {
    guard let attempt else { return }
    let timeUs = us - attempt.launchedUs
    let points = LevelPoints(
      collected: attempt.isCollected.count(where: \.self), timeUs: timeUs, parTimeUs: level.parTimeUs,
      rules: rules.score)
    let finish = Finish(points: points, flips: attempt.flips, timeUs: timeUs, crossings: attempt.trail.crossings)
    state = .complete(finish, wordAtUs: us + rules.play.completeUs)
    events.append(.reachedGoal(finish, atUs: us))
  }
}
