// SPDX-License-Identifier: Apache-2.0

/// A beat comes into sight.
public struct RhythmSpawn: WireNotification {
  /// The notification's name on the wire.
  public static let name = "rhythm.spawn"
  /// The topic that carries it.
  public static let topic = Topic.rhythm
  /// Its one sentence for people.
  public static let summary = "A beat comes into sight at `tUs`; it will be heard at `beatUs`."

  /// The beat, counted from 0.
  public var beat: Int
  /// Its lane; none in a chapter without lanes.
  public var lane: String?
  /// The instant at which the beat is heard.
  public var beatUs: Int64

  public init(beat: Int, lane: String?, beatUs: Int64) {
    self.beat = beat
    self.lane = lane
    self.beatUs = beatUs
  }
}

/// A beat is heard now.
public struct RhythmBeat: WireNotification {
  /// The notification's name on the wire.
  public static let name = "rhythm.beat"
  /// The topic that carries it.
  public static let topic = Topic.rhythm
  /// Its one sentence for people.
  public static let summary = "A beat is heard at `tUs`, which is when this is sent."

  /// The beat, counted from 0.
  public var beat: Int
  /// Its lane; none in a chapter without lanes.
  public var lane: String?

  public init(beat: Int, lane: String?) {
    self.beat = beat
    self.lane = lane
  }
}

/// A beat was judged, or a tap claimed none.
public struct RhythmJudgement: WireNotification {
  /// The notification's name on the wire.
  public static let name = "rhythm.judgement"
  /// The topic that carries it.
  public static let topic = Topic.rhythm
  /// Its one sentence for people.
  public static let summary =
    "A beat was hit, missed or void, or a tap was in nobody's cell; `tUs` is the tap or the cell's end."

  /// What was judged.
  public var verdict: Verdict
  /// The beat; none for a ghost.
  public var beat: Int?
  /// The lane of the beat, or of a ghost's tap; none in a chapter without lanes.
  public var lane: String?
  /// Tap minus beat, for a hit.
  public var errorUs: Int64?
  /// Misses up to and including this one.
  public var misses: Int

  /// What a judgement can be.
  public enum Verdict: String, Codable, Sendable, CaseIterable {
    /// A tap claimed the beat.
    case hit
    /// The beat's time and the grace passed without a tap.
    case miss
    /// A tap claimed nothing.
    case ghost
    /// The daemon stood still for all of the beat's time: it counts as nothing.
    case void
  }

  public init(verdict: Verdict, beat: Int?, lane: String?, errorUs: Int64?, misses: Int) {
    self.verdict = verdict
    self.beat = beat
    self.lane = lane
    self.errorUs = errorUs
    self.misses = misses
  }
}

/// The windows were widened.
public struct RhythmAssist: WireNotification {
  /// The notification's name on the wire.
  public static let name = "rhythm.assist"
  /// The topic that carries it.
  public static let topic = Topic.rhythm
  /// Its one sentence for people.
  public static let summary = "From `tUs` on the hit window is `windowUs` for beats whose default window opens later."

  /// Half-width of the windows of later beats.
  public var windowUs: Int64

  public init(windowUs: Int64) { self.windowUs = windowUs }
}

/// The chapter is over.
public struct RhythmComplete: WireNotification {
  /// The notification's name on the wire.
  public static let name = "rhythm.complete"
  /// The topic that carries it.
  public static let topic = Topic.rhythm
  /// Its one sentence for people.
  public static let summary = "The chapter ended at `tUs`, by itself or stopped."

  /// The chapter, `pack:chapter` where its pack is not the active one.
  public var chapter: String
  /// Whether it was ended before its time, by `rhythm.stop`.
  public var stopped: Bool
  /// What it ended with.
  public var score: Score

  public init(chapter: String, stopped: Bool, score: Score) {
    self.chapter = chapter
    self.stopped = stopped
    self.score = score
  }
}
