// SPDX-License-Identifier: Apache-2.0

/// Ends the chapter.
public enum RhythmStop: WireMethod {
  public static let name = "rhythm.stop"
  public static let summary = "Ends the chapter before its time, and fades its music out."
  public static let refusals: [RPCError.Kind] = [.notRunning]
  public typealias Params = Empty
  public typealias Result = RhythmStatus.Result
}

/// Where the chapter stands.
public enum RhythmStatus: WireMethod {
  public static let name = "rhythm.status"
  public static let summary = "Reports where the chapter stands, with all that is needed to draw it anew."
  public typealias Params = Empty

  /// How many beats in sight a reply lists, the next first.
  public static let mostBeats = 32

  /// What it answers. What is of a chapter that runs is missing, or empty, where none does.
  public struct Result: CarriesInstants, Codable, Sendable, Equatable {
    /// The chapter, running or last run; missing when there was none.
    public var chapter: String?
    /// False before the first chapter and after the last one's end.
    public var running: Bool
    /// Counts so far, or those the last chapter ended with.
    public var score: Score
    /// Where the song is now.
    public var positionUs: Int64?
    /// The number of the run, or of the last chapter's.
    public var run: Int64?
    /// The instant of `startPositionUs`, from which all that is to come is counted; after a pause the song was not heard there.
    public var startUs: Int64?
    /// Where in the song the run began.
    public var startPositionUs: Int64?
    /// The instant at which it is over; missing while it is paused.
    public var endUs: Int64?
    /// How fast the song goes.
    public var rate: Double?
    /// How many beats there are to be hit.
    public var beats: Int?
    /// The lanes that taps name.
    public var lanes: [String] = []
    /// Half-width of a beat's window, before any help.
    public var windowUs: Int64?
    /// How long before a beat is heard its spawn is reported.
    public var spawnLeadUs: Int64?
    /// The grades that hits earn by their error, the narrowest first.
    public var grades: [GradeWindow] = []
    /// How much later than a beat is heard a tap counts as exact.
    public var judgingOffsetUs: Int64?
    /// How much later the sound device that plays now is heard than it reports by itself.
    public var deviceLeadUs: Int64?
    /// The help, where it has begun.
    public var assist: Assist?
    /// The instant from which it stands still; missing while it goes on.
    public var pausedUs: Int64?
    /// In a count-in, the instant at which it is over and the song is back where it was paused; missing otherwise.
    public var goesOnUs: Int64?
    /// How long it goes on when its client has left.
    public var leaseUs: Int64?
    /// When it ends because its client has left; missing while it has one.
    public var leaseEndsUs: Int64?
    /// Beats that have spawned and are not judged: the next 32. Of a chapter that is paused, as if it went on now.
    public var beatsInSight: [Beat] = []
    /// The last 48 verdicts, the newest last; ghosts are not among them.
    public var verdicts: [JudgedBeat] = []

    public init(chapter: String?, running: Bool, score: Score, positionUs: Int64?, run: Int64? = nil) {
      self.chapter = chapter
      self.running = running
      self.score = score
      self.positionUs = positionUs
      self.run = run
    }

    /// The run's beginning and end, from when on it is held, when it goes on, the end of its lease, and when its beats are
    /// heard.
    public mutating func moveInstants(_ moved: (Int64) -> Int64) {
      // What is still open stands in one piece with what is to come: a tap for it is judged as far from there.
      let toCome = endUs ?? pausedUs
      startUs = startUs.map { movedAlong($0, with: toCome, moved) }
      for index in beatsInSight.indices {
        beatsInSight[index].beatUs = movedAlong(beatsInSight[index].beatUs, with: toCome, moved)
      }
      if let from = assist?.fromUs {
        // Help that a run which is held has still to come to stands where it is held, whatever the engine does meanwhile.
        assist?.fromUs = movedAlong(from, with: pausedUs.flatMap { from >= $0 ? $0 : nil }, moved)
      }
      endUs = endUs.map(moved)
      pausedUs = pausedUs.map(moved)
      goesOnUs = goesOnUs.map(moved)
      leaseEndsUs = leaseEndsUs.map(moved)
    }
  }

  /// The help.
  public struct Assist: Codable, Sendable, Equatable {
    /// The instant from which on help is given.
    public var fromUs: Int64
    /// Half-width of the windows of beats whose default window opens later.
    public var windowUs: Int64

    public init(fromUs: Int64, windowUs: Int64) {
      self.fromUs = fromUs
      self.windowUs = windowUs
    }
  }

  /// A beat that is to come.
  public struct Beat: Codable, Sendable, Equatable {
    /// The beat, counted from 0.
    public var beat: Int
    /// Its lane; missing in a chapter without lanes.
    public var lane: String?
    /// The instant at which it is heard. For a beat that was heard before a pause and is still open, the instant from which a
    /// tap for it is judged.
    public var beatUs: Int64

    public init(beat: Int, lane: String?, beatUs: Int64) {
      self.beat = beat
      self.lane = lane
      self.beatUs = beatUs
    }
  }

  /// What became of a beat.
  public struct JudgedBeat: Codable, Sendable, Equatable {
    /// The beat, counted from 0.
    public var beat: Int
    /// What the beat came to.
    public var verdict: JudgementKind
    /// Tap minus beat, for a hit.
    public var errorUs: Int64?
    /// What the hit earned.
    public var grade: String?

    public init(beat: Int, verdict: JudgementKind, errorUs: Int64?, grade: String?) {
      self.beat = beat
      self.verdict = verdict
      self.errorUs = errorUs
      self.grade = grade
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
  /// Whether help has widened the windows.
  public var assisted: Bool
  /// Signed median of the tap errors; missing without a hit.
  public var medianErrorUs: Int64?
  /// Mean of the tap errors.
  public var meanErrorUs: Int64?
  /// Median absolute deviation of the tap errors.
  public var spreadUs: Int64?
  /// Hits since the last miss.
  public var combo: Int
  /// The most hits without a miss among them.
  public var longestCombo: Int
  /// The share of hits among the beats that were hit or missed, 0 to 1; missing before there are any.
  public var accuracy: Double?
  /// How many hits earned each grade, the narrowest first; empty in a chapter without grades.
  public var grades: [GradeCount]

  public init(
    hits: Int, misses: Int, voided: Int = 0, ghosts: Int, remaining: Int, assisted: Bool, medianErrorUs: Int64?,
    meanErrorUs: Int64?, spreadUs: Int64?, combo: Int = 0, longestCombo: Int = 0, accuracy: Double? = nil,
    grades: [GradeCount] = []
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
    self.combo = combo
    self.longestCombo = longestCombo
    self.accuracy = accuracy
    self.grades = grades
  }
}

/// How many hits earned a grade.
public struct GradeCount: Codable, Sendable, Equatable {
  /// Its name, as the pack has it.
  public var grade: String
  /// Hits whose error was within its window, and no narrower one.
  public var hits: Int

  public init(grade: String, hits: Int) {
    self.grade = grade
    self.hits = hits
  }
}
