// SPDX-License-Identifier: Apache-2.0

/// Why something that was planned does not happen.
public enum CancelReason: String, Codable, Sendable, CaseIterable {
  /// It was called off by its number.
  case cancelled
  /// The music was stopped before it, or the cue was stopped while it went on.
  case stopped
  /// At its instant no track plays that it could change.
  case notPlaying
  /// More tracks fade at its instant than there is room for.
  case busy
  /// Its chapter was stopped.
  case chapterStopped
  /// Its chapter was paused before it; it is planned anew when that goes on.
  case chapterPaused
  /// It falls inside a chapter, whose music it would change.
  case chapter
  /// Its client left.
  case clientLeft
  /// Its track cannot be opened; what played goes on.
  case unavailable
  /// It was of an earlier reading of its pack, and whoever had it held more such readings than their share.
  case outdated
  /// The daemon ends before it.
  case shutdown
}
