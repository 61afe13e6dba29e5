// SPDX-License-Identifier: Apache-2.0

/// The whole game. It reads no clock and rolls no dice of its own; instants are microseconds of one monotonic clock, and
/// one that lies before the last counts as the last.
public struct Story: Equatable, Sendable {
  public let rules: Rules
  public private(set) var flow: Flow
  /// The chapter that is seen: the highest one reached, or while its victory stands the one before it. Nil before the
  /// start.
  public private(set) var scene: Scene?
  public private(set) var message: Message
  private var clock = GameClock()
  /// Until when the victory of a chapter stands, by the game's clock.
  private var victoryUntilUs: Int64?
  /// What was let go of while all stood still.
  private var lifted: [Act] = []
  private var isResetUnsaid: Bool

  /// A game as stored; nil bytes are a first start.
  public init(rules: Rules, stored bytes: [UInt8]?) {
    self.rules = rules
    let checkpoint = Checkpoint(reading: bytes)
    flow = checkpoint.flow
    isResetUnsaid = checkpoint.isReset
    message = Message(rules: rules.message)
  }

  /// Whether the game is interrupted, "welcome back" and all.
  public var isInterrupted: Bool { clock.interruption != nil }

  /// Whether "welcome back" stands at `us`.
  public func isWelcoming(atUs us: Int64) -> Bool {
    clock.interruption?.welcomeUntilUs.map { us < $0 } ?? false
  }

  /// How much the game's clock, which the scene's instants are of, is behind the monotonic one.
  public var behindUs: Int64 { clock.behindUs }

  /// Whether a victory stands.
  public var showsVictory: Bool { victoryUntilUs != nil }

  /// Begins the highest chapter reached at its start: once the daemon is there, and again whenever it has come back.
  /// What was interrupted is no more. The end, once reached, stays as it is.
  public mutating func start(atUs us: Int64, using chance: inout some RandomNumberGenerator) -> [Outcome] {
    var outcomes: [Outcome] = []
    if isResetUnsaid {
      isResetUnsaid = false
      outcomes += [.saidReset, .store(flow.highestUnlockedChapter)]
    }
    _ = clock.goOn(atUs: us)
    lifted = []
    if isAtTheEnd { return outcomes }
    let nowUs = clock.instant(atUs: us)
    return outcomes + begin(hasMusic: false, atUs: nowUs, using: &chance).map { $0.later(byUs: clock.behindUs) }
  }

  /// Lets time pass to `us`.
  public mutating func advance(toUs us: Int64, using chance: inout some RandomNumberGenerator) -> [Outcome] {
    var outcomes = message.advance(toUs: us)
    if let goOnUs = clock.asksToGoOn(atUs: us) { outcomes.append(.goOn(atUs: goOnUs)) }
    let nowUs = clock.instant(atUs: us)
    return outcomes + pass(toUs: nowUs, using: &chance).map { $0.later(byUs: clock.behindUs) }
  }

  /// What the player does at `us`. While the game is interrupted nothing but letting go, which counts as it goes on.
  public mutating func act(
    _ act: Act, atUs us: Int64, using chance: inout some RandomNumberGenerator
  ) -> [Outcome] {
    if let interruption = clock.interruption, us >= interruption.sinceUs {
      if act.isLift, isOfThisGame(act), !lifted.contains(act) { lifted.append(act) }
      return []
    }
    let outcomes = advance(toUs: us, using: &chance)
    let nowUs = clock.instant(atUs: us)
    return outcomes + play(act, atUs: nowUs) + pass(toUs: nowUs, using: &chance).map { $0.later(byUs: clock.behindUs) }
  }

  /// What the daemon told of Firewall, at `us`.
  public mutating func tell(
    _ telling: Telling, atUs us: Int64, using chance: inout some RandomNumberGenerator
  ) -> [Outcome] {
    var outcomes = advance(toUs: us, using: &chance)
    guard case .firewall(var chapter) = scene, victoryUntilUs == nil else { return outcomes }
    let nowUs = clock.instant(atUs: us)
    chapter.tell(telling.later(byUs: -clock.behindUs), atUs: nowUs)
    scene = .firewall(chapter)
    outcomes += complete()
    return outcomes
  }

  /// What came of an attempt to send the message.
  public mutating func tellMessage(attempt: Int, isDelivered: Bool, atUs us: Int64) {
    message.tell(attempt: attempt, isDelivered: isDelivered, atUs: us)
  }

  /// All stands still from `us` on: the system sleeps, or whoever plays is called away.
  public mutating func interrupt(atUs us: Int64, using chance: inout some RandomNumberGenerator) -> [Outcome] {
    let outcomes = advance(toUs: us, using: &chance)
    return clock.interrupt(atUs: us) ? outcomes + [.pause(atUs: us)] : outcomes
  }

  /// The interruption is over at `us`: "welcome back" comes first.
  public mutating func interruptionEnded(atUs us: Int64) -> [Outcome] {
    let untilUs = us + rules.flow.welcomeBackUs
    return clock.welcome(untilUs: untilUs) ? [.welcomeBack(atUs: us, untilUs: untilUs)] : []
  }

  /// The daemon goes on at `us`, and so does the game, in place.
  public mutating func wentOn(atUs us: Int64) -> [Outcome] {
    guard clock.goOn(atUs: us) else { return [] }
    let nowUs = clock.instant(atUs: us)
    let acts = lifted
    lifted = []
    return acts.flatMap { play($0, atUs: nowUs) }
  }

  private var isAtTheEnd: Bool { scene?.chapter == .eventHorizon && scene?.completedUs != nil }

  private func isOfThisGame(_ act: Act) -> Bool {
    guard case .letGo(let wheel) = act else { return true }
    return rules.cipher.wheels.indices.contains(wheel)
  }

  /// Time of the game's clock, from here on, as are the outcomes' instants.
  private mutating func pass(toUs us: Int64, using chance: inout some RandomNumberGenerator) -> [Outcome] {
    var outcomes: [Outcome] = []
    if victoryUntilUs == nil {
      outcomes += scene?.advance(toUs: us, using: &chance) ?? []
      outcomes += complete()
    }
    if let untilUs = victoryUntilUs, untilUs <= us {
      outcomes += begin(hasMusic: true, atUs: untilUs, using: &chance)
      outcomes += scene?.advance(toUs: us, using: &chance) ?? []
    }
    return outcomes
  }

  private mutating func play(_ act: Act, atUs us: Int64) -> [Outcome] {
    guard victoryUntilUs == nil else { return [] }
    var outcomes = scene?.act(act, atUs: us) ?? []
    outcomes = outcomes.map { $0.later(byUs: clock.behindUs) }
    if isAtTheEnd { outcomes += message.begin() }
    return outcomes + complete()
  }

  /// The chapter that is seen, where it is done: once, however often this is asked.
  /// Where it is left by a button of its own, the next begins at once.
  private mutating func complete() -> [Outcome] {
    guard let scene, let completedUs = scene.completedUs, flow.complete(scene.chapter) else { return [] }
    victoryUntilUs = scene.chapter == .blueprint ? completedUs : completedUs + rules.flow.victoryUs
    return [.store(flow.highestUnlockedChapter)]
  }

  /// The highest chapter reached, at its start. Where the music of the one before does not play on, it is asked for.
  private mutating func begin(
    hasMusic: Bool, atUs us: Int64, using chance: inout some RandomNumberGenerator
  ) -> [Outcome] {
    victoryUntilUs = nil
    let chapter = flow.highestUnlockedChapter
    scene = Scene(chapter, rules: rules, atUs: us, using: &chance)
    switch chapter {
    case .firewall: return [.startChapter(rules.firewall.chapter, atUs: us)]
    case .packetRun, .cipher, .blueprint: return hasMusic ? [] : [.playMain(atUs: us)]
    case .handshake, .eventHorizon: return []
    }
  }
}
