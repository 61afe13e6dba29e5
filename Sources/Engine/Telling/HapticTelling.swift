// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing
import Wire

/// What becomes of haptic players, as clients are told.
extension Engine {
  /// Tells what players did up to now, and the level for drawing.
  mutating func advanceHaptics() {
    passHaptics()
    for event in haptics.untold {
      let player = event.player
      // Each player's own in their order: where the daemon stood still, those of different players are not told in one.
      tellUnheardSounds(of: player, before: event.instant)
      guard let owner = haptics.owners[player] else { continue }
      var told = HapticsChanged(
        player: Int64(player.rawValue), source: owner.source, change: .started, cue: owner.cue?.rawValue)
      switch event {
      case .started: break
      case .looped(_, _, let iteration): (told.change, told.iteration) = (.looped, iteration)
      case .finished: told.change = .finished
      case .stopped:
        (told.change, told.reason) = (.stopped, owner.stop?.reason ?? .requested)
      case .replaced: (told.change, told.reason) = (.stopped, .replaced)
      case .cancelled: told.change = .cancelled
      case .skipped: told.change = .skipped
      }
      if event.isEnd {
        // What is replaced before it begins is called off as well, before the stop that its client left it with.
        let stop = owner.stop.flatMap { $0.at <= event.instant ? $0.reason : nil }
        let isCut = told.reason == .disconnected || told.change == .cancelled && stop == .disconnected
        if isCut { noteCut(owner.cue) }
        if !event.hasBegun {
          noteUnbegun(
            UnbegunPart(
              what: .player(player), cue: owner.cue?.rawValue, due: owner.at, at: event.instant,
              isSkipped: told.change == .skipped, cause: owner.cause))
        }
        haptics.remove(player)
        // What never began was noted as its instant passed.
        cues.partEnded(of: owner.cue, isCut ? .cut : .done, event.hasBegun ? named(owner) : nil)
      }
      // What ends at the last instant before the engine stands is told for that at which it goes on.
      notify(told, at: event.instant == turn.now ? max(present, event.instant) : event.instant, by: owner.cause)
    }
    haptics.untold = []
    tellUnheardSounds(before: turn.now + Interval(nanoseconds: 1))
    tellLevel()
  }

  /// Tells the level, and that nothing is felt from where the engine came to stand, which may be over by now.
  private mutating func tellLevel() {
    let hold = clock.begun(by: turn.clockNow)
    if let hold, turn.now >= hold.at { tellStanding(hold) }
    if let level = haptics.levelToTell(at: turn.now) { tell(level, at: clock.told(turn.now)) }
    if let hold, turn.now < hold.at { tellStanding(hold) }
  }

  private mutating func tellStanding(_ hold: EngineClock.Hold) {
    if haptics.holdLevel(of: hold) { tell(HapticLevel(intensity: 0, sharpness: 0), at: hold.stoppedAt) }
  }

  /// At an instant of the clock.
  private mutating func tell(_ level: HapticLevel, at instant: Instant) {
    let told = HapticsLevel(intensity: Double(level.intensity), sharpness: Double(level.sharpness))
    perform(.notify(OutgoingNotification(told, tUs: instant.microseconds, coalescingKey: HapticsLevel.name), nil))
  }

  /// When the engine comes to stand, on the clock, where a level is to be told then; nil where none is.
  var standingLevelDeadline: Instant? {
    haptics.lastLevel.intensity > 0 ? clock.nextBegins(after: turn.clockNow) : nil
  }
}

extension HapticPlayerEvent {
  /// Whether something was felt of the player.
  fileprivate var hasBegun: Bool {
    switch self {
    case .started, .looped, .finished, .stopped, .replaced: true
    case .cancelled, .skipped: false
    }
  }

  /// Whether nothing comes of the player any more.
  fileprivate var isEnd: Bool {
    switch self {
    case .started, .looped: false
    case .finished, .stopped, .replaced, .cancelled, .skipped: true
    }
  }
}
