// SPDX-License-Identifier: Apache-2.0

/// What a player can press. Where a button is not on the screen, or what it leads to is locked, nothing happens at all.
public enum Button: Equatable, Sendable {
  /// On the menu: to the worlds.
  case play
  /// On the world screen.
  case world(Int)
  /// On a world's level screen.
  case level(Int)
  /// From levels to worlds, from worlds to the menu, from a level that waits or is paused to its world's levels.
  case back
  case pause
  case resume
  /// On the completion screen.
  case next
  /// Anywhere: the player's switches.
  case toggle(Switches.Name)
}
