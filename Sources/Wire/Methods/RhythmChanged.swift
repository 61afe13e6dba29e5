// SPDX-License-Identifier: Apache-2.0

/// The chapter began, is held, goes on, or is another client's.
public struct RhythmChanged: WireNotification {
  public static let name = "rhythm.changed"
  public static let topic = Topic.rhythm
  public static let summary =
    "The chapter was started, paused, resumed, restarted, left by its client or taken over, from `tUs` on."

  /// What happened.
  public var change: Change
  /// The chapter, `pack:chapter`.
  public var chapter: String
  /// The number of the run: the same one through pauses, another after a restart.
  public var run: Int64
  /// On a restart, the number of the run that it ended.
  public var lastRun: Int64?
  /// What `startUs` of `rhythm.start` is now.
  public var startUs: Int64
  /// What `endUs` of `rhythm.start` is now; missing while it is paused.
  public var endUs: Int64?
  /// While it is paused, the instant from which it stands still.
  public var pausedUs: Int64?
  /// Where the song is at `tUs`.
  public var positionUs: Int64
  /// When it goes on, how much later every instant is that was reported and was not past when the chapter was paused.
  public var movedUs: Int64?
  /// When it goes on, the instant at which the song is back where it was paused, and taps count again.
  public var goesOnUs: Int64?
  /// While it has no client, the instant at which it ends.
  public var leaseEndsUs: Int64?

  /// What can happen to a chapter.
  public enum Change: String, Codable, Sendable, CaseIterable {
    /// It was started for `tUs`.
    case started
    /// It stands still from `tUs` on.
    case paused
    /// Its song is heard again from `tUs` on.
    case resumed
    /// It begins anew at `tUs`.
    case restarted
    /// Its client has left.
    case unattended
    /// Another client has it now.
    case takenOver
  }

  public init(
    change: Change, chapter: String, run: Int64, lastRun: Int64? = nil, startUs: Int64, endUs: Int64?,
    pausedUs: Int64? = nil,
    positionUs: Int64, movedUs: Int64? = nil, goesOnUs: Int64? = nil, leaseEndsUs: Int64? = nil
  ) {
    self.change = change
    self.chapter = chapter
    self.run = run
    self.lastRun = lastRun
    self.startUs = startUs
    self.endUs = endUs
    self.pausedUs = pausedUs
    self.positionUs = positionUs
    self.movedUs = movedUs
    self.goesOnUs = goesOnUs
    self.leaseEndsUs = leaseEndsUs
  }

  /// The run's beginning and end, since when it is held, when it is judged again, and the end of its lease.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    startUs = movedAlong(startUs, with: endUs ?? pausedUs, moved)
    endUs = endUs.map(moved)
    pausedUs = pausedUs.map(moved)
    goesOnUs = goesOnUs.map(moved)
    leaseEndsUs = leaseEndsUs.map(moved)
  }
}
