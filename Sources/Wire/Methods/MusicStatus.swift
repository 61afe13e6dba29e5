// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// What the music is doing.
public enum MusicStatus: WireMethod {
  public static let name = "music.status"
  public static let summary =
    "Reports the music as it is heard now: the track that plays, its position, what fades, and what is planned."
  public typealias Params = Empty

  /// How many of what is planned a reply lists.
  public static let mostPlanned = 32

  public struct Result: CarriesInstants, Codable, Sendable, Equatable {
    /// Whether a track plays, stands still or is not there.
    public var state: MusicState
    /// The track that plays or is paused; missing when stopped.
    public var track: String?
    /// The place in the track that is heard at `atUs`, within the loop where it loops.
    public var positionUs: Int64?
    /// The instant that `positionUs` is of.
    public var atUs: Int64
    /// The track's length; missing when stopped.
    public var durationUs: Int64?
    /// Beats a minute, as fast as it is played; missing where its pack does not say.
    public var bpm: Double?
    /// Where in its beats and bars the music is at `atUs`; missing where no track with a tempo is there.
    public var position: Position?
    /// Why it is paused: it goes on when no reason is left.
    public var pausedBy: [PausedBy]
    /// Tracks still fading out.
    public var fading: [String]
    /// The verbs that are asked for and not heard yet: the first 32, by instant.
    public var planned: [Planned]
    /// How many verbs are asked for and not heard yet, those beyond `planned` included.
    public var plannedCount: Int
    /// Which frame is heard when.
    public var timeline: Timeline

    public init(
      state: MusicState, track: String?, positionUs: Int64?, atUs: Int64, durationUs: Int64?, bpm: Double?,
      position: Position? = nil, pausedBy: [PausedBy] = [], fading: [String], planned: [Planned] = [],
      plannedCount: Int? = nil, timeline: Timeline
    ) {
      self.state = state
      self.track = track
      self.positionUs = positionUs
      self.atUs = atUs
      self.durationUs = durationUs
      self.bpm = bpm
      self.position = position
      self.pausedBy = pausedBy
      self.fading = fading
      self.planned = planned
      self.plannedCount = plannedCount ?? planned.count
      self.timeline = timeline
    }

    /// What its position is of, and what is planned. Its timeline is the output's.
    public mutating func moveInstants(_ moved: (Int64) -> Int64) {
      atUs = moved(atUs)
      for index in planned.indices { planned[index].atUs = moved(planned[index].atUs) }
      if let next = position?.nextBeatUs { position?.nextBeatUs = moved(next) }
    }
  }

  /// Where in its beats and bars the music is: of the track whose beats are reported, which under a stop is the one that fades.
  public struct Position: Codable, Sendable, Equatable {
    /// The track, `pack:track`.
    public var track: String
    /// The last beat heard, counted from 0; negative before the track's first.
    public var beat: Int
    /// Its bar, counted from 0.
    public var bar: Int
    /// Which beat of its bar it is, counted from 0.
    public var beatInBar: Int
    /// Like `beat`, but it goes on rising through loops.
    public var count: Int
    /// How far the music is on the way from that beat to the next at the track's tempo, 0 to below 1.
    public var phase: Double
    /// Beats a minute, as fast as it is played.
    public var bpm: Double
    /// When the next beat is heard, as things are planned now; missing where none comes, as while the music is paused, or where
    /// more than 32 changes are planned before it.
    public var nextBeatUs: Int64?

    public init(
      track: String, beat: Int, bar: Int, beatInBar: Int, count: Int, phase: Double, bpm: Double, nextBeatUs: Int64?
    ) {
      self.track = track
      self.beat = beat
      self.bar = bar
      self.beatInBar = beatInBar
      self.count = count
      self.phase = phase
      self.bpm = bpm
      self.nextBeatUs = nextBeatUs
    }
  }

  /// A verb whose instant is to come.
  public struct Planned: Codable, Sendable, Equatable {
    /// The number by which `music.cancel` calls it off.
    public var plan: Int64
    /// The verb that is planned.
    public var verb: MusicVerbName
    /// The instant at which it is heard.
    public var atUs: Int64
    /// The track that it plays.
    public var track: String?

    /// Plan number `plan`, for that instant.
    public init(plan: Int64, verb: MusicVerbName, atUs: Int64, track: String? = nil) {
      self.plan = plan
      self.verb = verb
      self.atUs = atUs
      self.track = track
    }
  }

  public typealias PausedBy = PauseReason
}

/// What the music is doing.
public enum MusicState: String, Codable, Sendable, CaseIterable {
  /// No track is there; others may still fade out.
  case stopped
  /// A track plays.
  case playing
  /// A track holds its place.
  case paused
}
