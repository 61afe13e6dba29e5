// SPDX-License-Identifier: Apache-2.0

import Haptics
import Outcomes
import Timing
import Wire

/// Haptic players whose client has gone.
extension Engine {
  /// How long what plays once may go on when its client has gone, before it fades as what repeats does: whoever holds a pad does
  /// not feel it shake for longer once the game has gone.
  static let longestAfterClient = Interval.microseconds(longestKeptUs)

  /// A client has gone: its players that play once and have begun finish. Those that repeat or stand still, or would before their
  /// end by what was asked for, fade out, now or when the time they asked to be kept is over, and what has not begun by then
  /// never does. Where there is no room for what goes on, it ends at once.
  mutating func endHaptics(of client: ClientID) {
    haptics.setGain(nil, of: client)
    // What has ended by now does not end by this.
    advanceHaptics()
    let players = haptics.players(of: client)
    var ends: [HapticPlayerID: Instant] = [:]
    for player in players { ends[player] = end(ofLeft: player) }
    let going = haptics.noteLeft(players, goingOn: Set(ends.keys))
    for player in players {
      if let end = ends[player], going.contains(player) {
        fadeOut(player, at: end, .disconnected)
      } else {
        stopPlayer(player, at: turn.now, .disconnected)
      }
    }
  }

  /// From when on a player whose client leaves fades out, where it is not over by then; nil where it never begins.
  private func end(ofLeft player: HapticPlayerID) -> Instant? {
    guard let owner = haptics.owners[player] else { return nil }
    // What is felt of a cue begins with what is heard of it.
    let soonest = owner.cue == nil ? earliestChange(of: player) : max(turn.earliestHaptic, turn.earliestSound)
    let end = max(soonest.roundedUpToMicrosecond, present(after: owner.keepAfterDisconnect))
    // A cue that does not come is gone by now, and all of it goes with it.
    let isCalledOff = owner.cue.map { cues.running[$0] == nil } ?? false
    let longest = present(after: Self.longestAfterClient)
    if !isCalledOff, owner.at <= max(end, soonest + Self.promptness),
      haptics.mixer.playsOnce(player, until: longest)
    {
      return longest
    }
    return owner.at < end && !isCalledOff ? end : nil
  }

  /// Has a player end by a fade from an instant on, unless it is stopped by then.
  mutating func fadeOut(_ player: HapticPlayerID, at instant: Instant, _ reason: HapticStopReason) {
    if let stop = haptics.owners[player]?.stop, stop.at <= instant { return }
    tell(player, .fadeOut(player, over: Self.leavingFade, at: instant), at: instant)
    stopPlayer(player, at: instant + Self.leavingFade, reason)
  }
}
