// SPDX-License-Identifier: Apache-2.0

/// Which player, and when.
public struct PlayerParams: PlannedParams, Codable, Sendable, Equatable {
  /// The player, by its number in the reply to `haptics.play`.
  public var player: Int64
  /// The instant at which the change is felt; as soon as possible when missing.
  public var atUs: Int64?

  public init(player: Int64, atUs: Int64? = nil) {
    self.player = player
    self.atUs = atUs
  }
}

/// When a change of a player is felt, and where in its pattern it then stands.
public struct PlayerScheduled: ScheduledResult, Codable, Sendable, Equatable {
  /// The instant at which the change is felt.
  public var scheduledUs: Int64
  /// How much later than asked for that is.
  public var lateUs: Int64
  /// The player's place in its pattern at that instant, as at rate 1; missing where the player will have ended by then.
  public var positionUs: Int64?

  public init(scheduledUs: Int64, lateUs: Int64, positionUs: Int64?) {
    self.scheduledUs = scheduledUs
    self.lateUs = lateUs
    self.positionUs = positionUs
  }
}

/// Pauses a player in place.
public enum HapticsPause: WireMethod {
  public static let name = "haptics.pause"
  public static let summary = "Pauses a player in place: nothing of it is felt or heard."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]
  public typealias Params = PlayerParams
  public typealias Result = PlayerScheduled
}

/// Resumes a paused player.
public enum HapticsResume: WireMethod {
  public static let name = "haptics.resume"
  public static let summary = "Resumes a paused player where it stands."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]
  public typealias Params = PlayerParams
  public typealias Result = PlayerScheduled
}

/// Moves a player within its pattern.
public enum HapticsSeek: WireMethod {
  public static let name = "haptics.seek"
  public static let summary = "Moves a player, playing or paused, to a place in its pattern."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// The player, by its number in the reply to `haptics.play`.
    public var player: Int64
    /// The place in the pattern to go to, from its start.
    public var positionUs: Int64
    /// The instant at which the change is felt; as soon as possible when missing.
    public var atUs: Int64?

    public init(player: Int64, positionUs: Int64, atUs: Int64? = nil) {
      self.player = player
      self.positionUs = positionUs
      self.atUs = atUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// The place.
    public let position = RangedParam("positionUs", in: patternTimes, hint: patternTimeHint)
  }

  public typealias Result = PlayerScheduled
}

/// Changes how a player plays.
public enum HapticsSet: WireMethod {
  public static let name = "haptics.set"
  public static let summary = "Changes a player's mute, rate, loop, loop end or gain; what is left out stays."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// The player, by its number in the reply to `haptics.play`.
    public var player: Int64
    /// Whether it is muted: neither felt nor heard, while its time passes.
    public var mute: Bool?
    /// Playback rate: 2 is twice as fast.
    public var rate: Double?
    /// Whether it begins again at its loop end.
    public var loop: Bool?
    /// Where in the pattern a looping player goes back to its start, 10 ms at least; 0 is the pattern's end.
    public var loopEndUs: Int64?
    /// The factor of its intensity.
    public var gain: Double?
    /// The instant at which the change is felt; as soon as possible when missing.
    public var atUs: Int64?

    public init(
      player: Int64, mute: Bool? = nil, rate: Double? = nil, loop: Bool? = nil, loopEndUs: Int64? = nil,
      gain: Double? = nil, atUs: Int64? = nil
    ) {
      self.player = player
      self.mute = mute
      self.rate = rate
      self.loop = loop
      self.loopEndUs = loopEndUs
      self.gain = gain
      self.atUs = atUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Playback rate.
    public let rate = RangedParam("rate", in: hapticRates)
    /// Where it goes back.
    public let loopEnd = RangedParam("loopEndUs", in: patternTimes, hint: patternTimeHint)
    /// How strong it is.
    public let gain = RangedParam("gain", in: 0...1.0)
  }

  public typealias Result = PlayerScheduled
}

/// Changes how strongly all that a client plays is felt.
public enum HapticsGain: WireMethod {
  public static let name = "haptics.gain"
  public static let summary =
    "Multiplies the intensity of all of this client's players until it leaves; players that go on after that keep it."
  public static let refusals: [RPCError.Kind] = [.busy]

  public struct Params: Codable, Sendable, Equatable {
    /// The factor of intensity, on top of each player's own gain and each output's.
    public var gain: Double

    public init(gain: Double) { self.gain = gain }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// How strong all are.
    public let gain = RangedParam("gain", in: 0...1.0)
  }

  public typealias Result = Scheduled
}
