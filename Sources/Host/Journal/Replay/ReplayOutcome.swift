// SPDX-License-Identifier: Apache-2.0

import Problems

/// What came of doing a run again.
public struct ReplayOutcome: Sendable, Equatable {
  /// How far it went.
  public enum End: Sendable, Equatable {
    /// To the end of the run.
    case whole
    /// To where the journal breaks off: the daemon was killed, or still runs.
    case cut
    /// To where the journal was as long as it may be.
    case truncated
    /// To where it could not be done on, and why.
    case stopped(String)
  }

  /// How far it went.
  public var end: End
  /// Seconds with sound whose samples were compared.
  public var seconds: Int
  /// Steps of the haptic log that were.
  public var steps: Int
  /// Verdicts, and what else chapters told, that were.
  public var verdicts: Int
  /// Whether the run had a haptic log.
  public var hasHapticLog: Bool
  /// The version that wrote the journal, where that is not this one.
  public var otherVersion: String?
  /// Where on its clock it ended, in microseconds.
  public var lastUs: Int64
  /// The first second of the output, from 0, whose samples are not what they were.
  public var otherSecond: Int64?
  /// When the haptic log first wrote something else, in microseconds of the run's clock.
  public var otherFeltUs: Int64?
  /// When a chapter first told something else.
  public var otherVerdictUs: Int64?
  /// Why what was to be written of it, its sound or its haptic log, is not whole.
  public var unwritten: [Problem] = []
  /// The runs of chapters by other rules, where those were given.
  public var rejudged: [RejudgedRun] = []

  /// Whether all that was compared is the same.
  public var isSame: Bool {
    if case .stopped = end { return false }
    return otherSecond == nil && otherFeltUs == nil && otherVerdictUs == nil
  }
}
