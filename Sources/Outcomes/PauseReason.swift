// SPDX-License-Identifier: Apache-2.0

/// Why the music stands still. It goes on when no reason is left.
public enum PauseReason: String, Codable, Sendable, CaseIterable {
  /// A client, by `music.pause`.
  case client
  /// The switch for music.
  case `switch`
  /// The engine as a whole.
  case engine
  /// Its chapter, by `rhythm.pause`.
  case chapter
}
