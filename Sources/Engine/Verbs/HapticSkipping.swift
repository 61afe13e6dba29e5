// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// The switch for haptics: what begins while it is off is skipped by the state at its own instant, loops end, and what was
/// played once plays out, with what is heard of it.
///
/// The outputs know the switch by its instant, as they know every player's, so that whichever comes first comes first there too.
extension Engine {
  /// Does what the switch, which has changed, does.
  mutating func switchHaptics() {
    let at = turn.earliestHaptic.roundedUpToMicrosecond
    if !switches.haptics {
      for player in haptics.mixer.loopingPlayers(at: at) { stopPlayer(player, at: at, .switchedOff) }
    }
    command(.enable(switches.haptics, at: at))
    replanHapticAudio(from: at)
  }

  /// Lets time pass for the players, and notes of cues what of them is skipped; that is told by `advanceHaptics`.
  mutating func passHaptics() {
    let events = haptics.mixer.advance(to: turn.now)
    haptics.changes.pass(turn.now)
    haptics.noteTurns(events.count, at: turn.now)
    for event in events {
      guard let owner = haptics.owners[event.player], let cue = owner.cue else { continue }
      switch event {
      case .skipped: skip(.hapticsOff(step: named(owner)), of: cue, isFelt: true, at: owner.at)
      case .cancelled:
        skip(.calledOff(step: named(owner), .init(owner.stop?.reason)), of: cue, isFelt: true, at: owner.at)
      case .started, .looped, .finished, .stopped, .replaced: break
      }
    }
    haptics.untold += events
  }

  /// What a player plays, for people.
  func named(_ owner: HapticBoard.Owner) -> String { owner.pack == nil ? owner.source : "pattern \(owner.source)" }
}
