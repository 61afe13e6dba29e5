// SPDX-License-Identifier: Apache-2.0

/// What can happen to the music.
public enum MusicHappening: String, Codable, Sendable, CaseIterable {
  /// A track plays, and none was faded out for it.
  case started
  /// A track took over from `from`.
  case crossfaded
  /// The track holds its place: it was halted, or is held there since it was played or sought while the music is.
  case paused
  /// It plays on where it stood, or where `positionUs` says: a chapter's song, in its count-in.
  case resumed
  /// It was asked to fade out.
  case stopped
  /// It came to its end by itself.
  case ended
  /// Its file came too slowly: silence, while its time passes.
  case starved
  /// It sounds again, where it would have been.
  case rejoined
}
