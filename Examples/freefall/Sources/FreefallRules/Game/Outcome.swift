// SPDX-License-Identifier: Apache-2.0

/// What is to be done outside because of what happened in the game.
public enum Outcome: Equatable, Sendable {
  /// To be heard and felt, at this instant.
  case cue(Cue, atUs: Int64)
  /// A switch of the player's was turned, at this instant.
  case turned(Switches.Name, isOn: Bool, atUs: Int64)
  /// To be stored now.
  case store(Progress)
}
