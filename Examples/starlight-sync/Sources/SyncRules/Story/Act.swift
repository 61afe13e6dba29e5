// SPDX-License-Identifier: Apache-2.0

/// What a player can do. Where a chapter has no such thing, nothing happens at all.
public enum Act: Equatable, Sendable {
  /// A finger comes down: handshake (charges), packet run (jumps, and glides while held).
  case press
  /// The finger is lifted: handshake, packet run, blueprint, event horizon.
  case release
  /// Cipher: a wheel is dragged by so many segments.
  case turn(wheel: Int, segments: Double)
  /// Cipher: a wheel is let go.
  case letGo(wheel: Int)
  /// Cipher: the selection is submitted.
  case unlock
  /// Firewall: noise is tapped on the side it comes from.
  case tap(Lane)
  /// Blueprint: BEGIN.
  case begin
  /// Blueprint: a finger comes down here.
  case touch(Point)
  /// Blueprint: the finger has moved here.
  case drag(Point)
  /// Blueprint, won: CONTINUE.
  case proceed
  /// Event horizon: the finger is here, 0 to 1.
  case slide(to: Double)

  /// Whether it ends a touch: what ends while the game is interrupted has ended when it goes on.
  var isLift: Bool {
    switch self {
    case .release, .letGo: true
    default: false
    }
  }
}
