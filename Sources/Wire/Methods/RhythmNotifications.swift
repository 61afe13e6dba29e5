// SPDX-License-Identifier: Apache-2.0

import JSON
import Outcomes

/// A beat comes into sight.
public struct RhythmSpawn: WireNotification {
  public static let name = "rhythm.spawn"
  public static let topic = Topic.rhythm
  public static let summary = "A beat comes into sight at `tUs`; it will be heard at `beatUs`."

  /// The beat, counted from 0.
  public var beat: Int
  /// Its lane; missing in a chapter without lanes.
  public var lane: String?
  /// The instant at which the beat is heard.
  public var beatUs: Int64
  /// The number of the run.
  public var run: Int64

  public init(beat: Int, lane: String?, beatUs: Int64, run: Int64 = 1) {
    self.beat = beat
    self.lane = lane
    self.beatUs = beatUs
    self.run = run
  }

  /// When its beat is heard.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { beatUs = moved(beatUs) }
}

/// A beat is heard now.
public struct RhythmBeat: WireNotification {
  public static let name = "rhythm.beat"
  public static let topic = Topic.rhythm
  public static let summary = "A beat is heard at `tUs`, which is when this is sent."

  /// The beat, counted from 0.
  public var beat: Int
  /// Its lane; missing in a chapter without lanes.
  public var lane: String?
  /// The number of the run.
  public var run: Int64

  public init(beat: Int, lane: String?, run: Int64 = 1) {
    self.beat = beat
    self.lane = lane
    self.run = run
  }

  /// The beat's.
  public var traced: (kind: TraceKind, id: Int64)? { (.beat, Int64(beat)) }
}

/// A beat was judged, or a tap claimed none.
public struct RhythmJudgement: WireNotification {
  public static let name = "rhythm.judgement"
  public static let topic = Topic.rhythm
  public static let summary =
    "A beat was hit, missed or void, or a tap hit none; `tUs` is the instant of the tap or the end of the beat's cell."

  /// What the beat or the tap came to.
  public var verdict: JudgementKind
  /// The beat, counted from 0; missing for a ghost.
  public var beat: Int?
  /// The lane of the beat, or of a ghost's tap; missing in a chapter without lanes.
  public var lane: String?
  /// Tap minus beat, for a hit.
  public var errorUs: Int64?
  /// What the hit earned, where the chapter has grades and it is near enough.
  public var grade: String?
  /// Misses up to and including this one.
  public var misses: Int
  /// Hits since the last miss, this one included.
  public var combo: Int
  /// The share of hits among the beats that were hit or missed so far, 0 to 1; missing before there are any.
  public var accuracy: Double?
  /// The number of the run.
  public var run: Int64

  public init(
    verdict: JudgementKind, beat: Int?, lane: String?, errorUs: Int64?, grade: String? = nil, misses: Int,
    combo: Int = 0, accuracy: Double? = nil, run: Int64 = 1
  ) {
    self.verdict = verdict
    self.beat = beat
    self.lane = lane
    self.errorUs = errorUs
    self.grade = grade
    self.misses = misses
    self.combo = combo
    self.accuracy = accuracy
    self.run = run
  }

  /// Member by member, as the reply to a tap: a player who is told of it waits for both.
  public func write(to writer: inout JSONWriter) throws {
    writer.copy("{")
    if let accuracy {
      writer.copy("\"accuracy\":")
      guard writer.write(accuracy) else {
        throw EncodingError.invalidValue(accuracy, .init(codingPath: [], debugDescription: "is not finite"))
      }
      writer.copy(",")
    }
    if let beat {
      writer.copy("\"beat\":")
      writer.write(Int64(beat))
      writer.copy(",")
    }
    writer.copy("\"combo\":")
    writer.write(Int64(combo))
    if let errorUs {
      writer.copy(",\"errorUs\":")
      writer.write(errorUs)
    }
    if let grade {
      writer.copy(",\"grade\":")
      writer.write(grade)
    }
    if let lane {
      writer.copy(",\"lane\":")
      writer.write(lane)
    }
    writer.copy(",\"misses\":")
    writer.write(Int64(misses))
    writer.copy(",\"run\":")
    writer.write(run)
    writer.copy(",\"verdict\":")
    writer.write(verdict.rawValue)
    writer.copy("}")
  }
}

/// What a judgement can be: of a beat, or of a tap that claimed none.
public enum JudgementKind: String, Codable, Sendable, CaseIterable {
  /// A tap claimed the beat.
  case hit
  /// The beat's time and the grace passed without a tap.
  case miss
  /// A tap claimed nothing.
  case ghost
  /// The daemon stood still for all of the beat's time: it counts as nothing.
  case void
}

/// The windows were widened.
public struct RhythmAssist: WireNotification {
  public static let name = "rhythm.assist"
  public static let topic = Topic.rhythm
  public static let summary =
    "From `tUs` on help widens the window to `windowUs`, for beats whose own window opens later."

  /// Half-width of the windows of later beats.
  public var windowUs: Int64
  /// The number of the run.
  public var run: Int64

  public init(windowUs: Int64, run: Int64 = 1) {
    self.windowUs = windowUs
    self.run = run
  }
}

/// The chapter is over.
public struct RhythmComplete: WireNotification {
  public static let name = "rhythm.complete"
  public static let topic = Topic.rhythm
  public static let summary = "The chapter ended at `tUs`, by itself or because it was stopped."

  /// The chapter, `pack:chapter`.
  public var chapter: String
  /// Whether it was ended before its time: by `rhythm.stop`, or because its client left and nobody took it over.
  public var stopped: Bool
  /// The score that it ended with.
  public var score: Score
  /// The number of the run that ended.
  public var run: Int64

  public init(chapter: String, stopped: Bool, score: Score, run: Int64 = 1) {
    self.chapter = chapter
    self.stopped = stopped
    self.score = score
    self.run = run
  }
}
