// SPDX-License-Identifier: Apache-2.0

/// Why a sound can end.
public enum SoundEnd: String, Codable, Sendable, CaseIterable {
  /// It was played to its end.
  case ended
  /// It was asked to stop.
  case stopped
  /// Too much played at once, and it gave its voice up or got none.
  case stolen
  /// It was called off before it began.
  case cancelled
  /// The switch for sound was off at its instant: it never began.
  case skipped
  /// It looped, and the switch for sound went off.
  case switchedOff
  /// It was of an earlier reading of its pack, and whoever had it held more such readings than their share.
  case outdated
}
