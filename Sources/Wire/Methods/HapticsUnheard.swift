// SPDX-License-Identifier: Apache-2.0

/// A sound of a player's pattern is not heard for want of a voice.
public struct HapticsUnheard: WireNotification {
  public static let name = "haptics.unheard"
  public static let topic = Topic.haptics
  public static let summary =
    "Sounds of a player's pattern are not heard from `tUs` on: they found no voice, or gave theirs up; reported at most once in 100 ms for each player."

  /// The player, by its number in the reply to `haptics.play`; a cue's players have numbers, too.
  public var player: Int64
  /// The pattern's name, or `inline`.
  public var source: String
  /// Why they are not heard.
  public var reason: Reason
  /// The cue that the player is part of, by the id that `cue.fire` gave.
  public var cue: Int64?

  /// Why a sound is not heard.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    /// It did not begin: as many sounds of patterns are heard as can be, and nobody has more of them than its own client.
    case noVoice
    /// It gave its voice to another client's sound, because its own client had the most.
    case stolen
  }

  /// Of what `player` plays something is not heard; `cue` is the firing that it is part of.
  public init(player: Int64, source: String, reason: Reason, cue: Int64? = nil) {
    self.player = player
    self.source = source
    self.reason = reason
    self.cue = cue
  }
}

extension HapticsUnheard: Equatable {}
