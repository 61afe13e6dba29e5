// SPDX-License-Identifier: Apache-2.0

/// What can happen to the music.
public enum MusicHappening: String, Codable, Sendable, CaseIterable {
  /// A track plays, and none was faded out for it.
  case started
  /// A track took over from `from`.
  case crossfaded
  /// The track holds its place: the music was paused, or the track was played or sought while the music was paused.
  case paused
  /// It plays on where it stood; a chapter's song, in its count-in, plays on from `positionUs`.
  case resumed
  /// It was asked to fade out.
  case stopped
  /// It came to its end by itself.
  case ended
  /// It fell silent because its file came too slowly; its time passes all the same.
  case starved
  /// It sounds again, where it would have been.
  case rejoined
}
