// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing

/// Whose line voices and players go back to, for whoever records what becomes of them.
extension Engine {
  /// Sounds that are planned or play.
  public var soundCount: Int { sounds.voices.count }

  /// Haptic players that are planned or play.
  public var playerCount: Int { haptics.owners.count }

  /// Whose line a sound goes back to, and the cue that it is part of; nil for other voices.
  public func origin(of voice: VoiceID) -> (cause: Cause, cue: PlanID?)? { sounds[voice].map { ($0.cause, $0.cue) } }

  /// The verb of music that begins a track, with whose line it goes back to and the cue that it is part of; nil for other
  /// voices.
  public func origin(ofTrack voice: VoiceID) -> (plan: PlanID, cause: Cause, cue: PlanID?)? {
    music.realised.first { $0.voice == voice }?.entry.map { ($0.id, $0.cause, $0.purpose.cue) }
  }

  /// The same of a haptic player.
  public func origin(of player: HapticPlayerID) -> (cause: Cause, cue: PlanID?)? {
    haptics.owners[player].map { ($0.cause, $0.cue) }
  }
}
