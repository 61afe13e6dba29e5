// SPDX-License-Identifier: Apache-2.0

/// Ends the chapter.
public enum RhythmStop: WireMethod {
  /// The method's name on the wire.
  public static let name = "rhythm.stop"
  /// Its one sentence for people.
  public static let summary = "Ends the chapter before its time; its music fades."
  /// Its own kinds of errors.
  public static let refusals: [RPCError.Kind] = [.notRunning]
  /// Nothing is asked but the name.
  public typealias Params = Empty
  /// What it is answered.
  public typealias Result = RhythmStatus.Result
}

/// Where the chapter stands.
public enum RhythmStatus: WireMethod {
  /// The method's name on the wire.
  public static let name = "rhythm.status"
  /// Its one sentence for people.
  public static let summary = "Where the chapter stands: counts, window, tap errors."
  /// Nothing is asked but the name.
  public typealias Params = Empty

  /// What it is answered.
  public struct Result: Codable, Sendable, Equatable {
    /// The chapter, running or last run; none when there was none.
    public var chapter: String?
    /// False before the first chapter and after the last one's end.
    public var running: Bool
    /// Counts so far, or those the last chapter ended with.
    public var score: Score
    /// Song position now.
    public var positionUs: Int64?

    public init(chapter: String?, running: Bool, score: Score, positionUs: Int64?) {
      self.chapter = chapter
      self.running = running
      self.score = score
      self.positionUs = positionUs
    }
  }
}

/// Counts and tap errors of a chapter.
public struct Score: Codable, Sendable, Equatable {
  /// Beats that a tap claimed.
  public var hits: Int
  /// Beats whose time passed unclaimed.
  public var misses: Int
  /// Beats that nobody could tap because the daemon stood still: neither hit nor missed.
  public var voided: Int
  /// Taps that claimed no beat.
  public var ghosts: Int
  /// Beats not judged yet.
  public var remaining: Int
  /// Whether the windows were widened.
  public var assisted: Bool
  /// Signed median of the tap errors; none without a hit.
  public var medianErrorUs: Int64?
  /// Mean of the tap errors.
  public var meanErrorUs: Int64?
  /// Median absolute deviation of the tap errors.
  public var spreadUs: Int64?

  public init(
    hits: Int, misses: Int, voided: Int = 0, ghosts: Int, remaining: Int, assisted: Bool, medianErrorUs: Int64?,
    meanErrorUs: Int64?, spreadUs: Int64?
  ) {
    self.hits = hits
    self.misses = misses
    self.voided = voided
    self.ghosts = ghosts
    self.remaining = remaining
    self.assisted = assisted
    self.medianErrorUs = medianErrorUs
    self.meanErrorUs = meanErrorUs
    self.spreadUs = spreadUs
  }
}
