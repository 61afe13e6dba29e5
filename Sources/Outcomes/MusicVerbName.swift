// SPDX-License-Identifier: Apache-2.0

/// What can be asked of the music.
public enum MusicVerbName: String, Codable, Sendable, CaseIterable {
  /// `music.play`.
  case play
  /// `music.seek`.
  case seek
  /// `music.stop`.
  case stop
  /// `music.pause`.
  case pause
  /// `music.resume`.
  case resume
  /// `music.gain`.
  case gain
}
