// SPDX-License-Identifier: Apache-2.0

/// One thing that was asked for and has not happened yet: by this number it can be called off.
public struct PlanID: Hashable, Sendable, Comparable, BitwiseCopyable {
  /// Counts from 1, in the order of asking.
  public var rawValue: Int64

  /// The plan of that number.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether `a` was asked for before `b`.
  public static func < (a: PlanID, b: PlanID) -> Bool { a.rawValue < b.rawValue }
}

/// Why something that was planned does not happen.
public enum PlanCancellation: Sendable, CaseIterable {
  /// It was called off by its number.
  case cancelled
  /// The music was stopped before it.
  case stopped
  /// At its instant no track plays that it could change.
  case notPlaying
  /// More tracks fade at its instant than can.
  case busy
  /// Its chapter was stopped.
  case chapterStopped
  /// Its chapter was paused before it.
  case chapterPaused
  /// It falls inside a chapter, whose music it would tear away.
  case chapter
  /// Its client left.
  case clientLeft
  /// Its track cannot be opened.
  case unavailable
  /// The daemon ends before it.
  case shutdown
}
