// SPDX-License-Identifier: Apache-2.0

/// An instant and a fade, for the verbs that end or interrupt.
public struct FadeParams: PlannedParams, Codable, Sendable, Equatable {
  /// The instant at which the change begins to be heard; as soon as possible when missing.
  public var atUs: Int64?
  /// Length of the fade, 5 ms at least.
  public var fadeUs: Int64?

  public init(atUs: Int64? = nil, fadeUs: Int64? = nil) {
    self.atUs = atUs
    self.fadeUs = fadeUs
  }
}

/// When a verb of music is heard, and the number by which it is called off.
public struct MusicScheduled: ScheduledResult, Codable, Sendable, Equatable {
  /// The instant at which the change begins to be heard.
  public var scheduledUs: Int64
  /// How much later than asked for that is.
  public var lateUs: Int64
  /// The number by which `music.cancel` calls it off.
  public var plan: Int64

  /// Plan number `plan`, for that instant.
  public init(scheduledUs: Int64, lateUs: Int64, plan: Int64) {
    self.scheduledUs = scheduledUs
    self.lateUs = lateUs
    self.plan = plan
  }
}

/// Fades the music out for good: `music.play` begins anew, `music.resume` does not bring it back.
public enum MusicStop: WireMethod {
  public static let name = "music.stop"
  public static let summary =
    "Fades the music out (500 ms by default) and forgets its position; without `atUs` all that is planned is called off."
  public static let refusals: [RPCError.Kind] = [.busy, .heldByChapter]
  public typealias Params = FadeParams
  public typealias Result = MusicScheduled

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Long by default, so that the music is not torn off.
    public let fade = OptionalParam("fadeUs", in: fadeLengths, default: 500_000, hint: fadeHint)
  }
}

/// Turns the music down and has it keep its place, for `music.resume`.
public enum MusicPause: WireMethod {
  public static let name = "music.pause"
  public static let summary = "Pauses the music in place, with a fade of 5 ms by default."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy, .heldByChapter]
  public typealias Params = FadeParams
  public typealias Result = MusicScheduled

  public static let ranges = DeclickingFade()
}

/// Lets music go on that `music.pause` stopped; not what a chapter's pause or a switch holds.
public enum MusicResume: WireMethod {
  public static let name = "music.resume"
  public static let summary = "Resumes paused music where it stands, with a fade of 5 ms by default."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy, .heldByChapter]
  public typealias Params = FadeParams
  public typealias Result = MusicScheduled

  public static let ranges = DeclickingFade()
}

/// Goes to another place of the track that plays.
public enum MusicSeek: WireMethod {
  public static let name = "music.seek"
  public static let summary = "Goes to another place of the track that plays, cross-fading over 20 ms by default."
  public static let refusals: [RPCError.Kind] = [.notRunning, .unavailable, .busy, .heldByChapter]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// The place in the track to go to.
    public var positionUs: Int64
    /// The instant at which that position is heard; as soon as possible when missing.
    public var atUs: Int64?
    /// Length of the cross-fade from the old place to the new one.
    public var crossfadeUs: Int64?

    public init(positionUs: Int64, atUs: Int64? = nil, crossfadeUs: Int64? = nil) {
      self.positionUs = positionUs
      self.atUs = atUs
      self.crossfadeUs = crossfadeUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// The place; below the length of the track.
    public let position = RangedParam<Int64>("positionUs", in: 0...(.unbounded))
    /// Length of the cross-fade.
    public let crossfade = OptionalParam("crossfadeUs", in: fadeLengths, default: 20_000, hint: fadeHint)
  }

  public typealias Result = MusicPlay.Result
}

/// Changes the gain of the track that plays, or of one of its stems.
public enum MusicGain: WireMethod {
  public static let name = "music.gain"
  public static let summary =
    "Changes the gain, linear or in decibels, of the track that plays or of one of its stems, over 50 ms by default."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy, .unknownName]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// Linear gain 0...4 on top of the pack's.
    public var gain: Double?
    /// The same in decibels, -120...12, in place of `gain`.
    public var gainDb: Double?
    /// The stem to change, of the track that plays then: the gain replaces its pack's. The whole track when missing.
    public var stem: String?
    /// The instant at which the change begins to be heard; as soon as possible when missing.
    public var atUs: Int64?
    /// Length of the change.
    public var fadeUs: Int64?

    public init(
      gain: Double? = nil, gainDb: Double? = nil, stem: String? = nil, atUs: Int64? = nil, fadeUs: Int64? = nil
    ) {
      self.gain = gain
      self.gainDb = gainDb
      self.stem = stem
      self.atUs = atUs
      self.fadeUs = fadeUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Linear, on top of the pack's.
    public let gain = RangedParam("gain", in: linearGains)
    /// The same in decibels.
    public let decibels = RangedParam("gainDb", in: -120...12.0)
    /// Length of the change.
    public let fade = OptionalParam("fadeUs", in: fadeLengths, default: 50_000, hint: fadeHint)
  }

  public typealias Result = MusicScheduled
}
