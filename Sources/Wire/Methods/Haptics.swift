// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// Plays a haptic pattern.
public enum HapticsPlay: WireMethod {
  public static let name = "haptics.play"
  /// A pattern.
  public static let longParams = ["ahap"]
  /// Bytes of a document sent inline, white space not counted: some 1 000 events, where the largest pattern seen in games has 267.
  public static let longestInline = 1 << 17
  /// Pads by their paths.
  public static let longTexts = ["device"]
  public static let summary = "Plays a pattern by name, or an AHAP document given inline."
  public static let refusals: [RPCError.Kind] = [.unknownName, .unavailable, .notRunning, .busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// `pack:pattern`, or a bare name of the pack that the client uses.
    public var pattern: String?
    /// An AHAP document, in place of `pattern`.
    public var ahap: JSONText?
    /// The instant at which it is felt to begin; as soon as possible when missing.
    public var atUs: Int64?
    /// The factor of the pattern's intensity.
    public var gain: Double?
    /// Playback rate: 2 is twice as fast.
    public var rate: Double?
    /// Whether it repeats until it is stopped.
    public var loop: Bool?
    /// Where in the pattern a looping player goes back to its start, 10 ms at least; 0 is the pattern's end.
    public var loopEndUs: Int64?
    /// Where in the pattern it begins.
    public var offsetUs: Int64?
    /// Whether it begins muted: neither felt nor heard, while its time passes.
    public var mute: Bool?
    /// The number of a player that ends where this one begins; this one takes its place among those that can play at once.
    public var replaces: Int64?
    /// How long it goes on after the client has left, where it loops or has not begun. What plays once and has begun finishes
    /// anyway, within 30 s.
    public var keepAfterDisconnectUs: Int64?
    /// The pads it is felt on: `all`, `none`, or names and paths with commas between. The haptic log has it in any case.
    public var device: String?

    public init(
      pattern: String? = nil, ahap: JSONValue? = nil, atUs: Int64? = nil, gain: Double? = nil, rate: Double? = nil,
      loop: Bool? = nil, loopEndUs: Int64? = nil, offsetUs: Int64? = nil, mute: Bool? = nil, replaces: Int64? = nil,
      keepAfterDisconnectUs: Int64? = nil, device: String? = nil
    ) {
      self.pattern = pattern
      self.ahap = ahap.map(JSONText.init)
      self.atUs = atUs
      self.gain = gain
      self.rate = rate
      self.loop = loop
      self.loopEndUs = loopEndUs
      self.offsetUs = offsetUs
      self.mute = mute
      self.replaces = replaces
      self.keepAfterDisconnectUs = keepAfterDisconnectUs
      self.device = device
    }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// How strong it is.
    public let gain = OptionalParam("gain", in: 0...1, default: 1.0)
    /// Playback rate.
    public let rate = OptionalParam("rate", in: hapticRates, default: 1)
    /// Whether it repeats.
    public let loop = DefaultedParam("loop", default: false)
    /// Where it goes back; 0 is the end of the pattern.
    public let loopEnd = OptionalParam("loopEndUs", in: patternTimes, default: 0, hint: patternTimeHint)
    /// Where it begins.
    public let offset = OptionalParam("offsetUs", in: patternTimes, default: 0, hint: patternTimeHint)
    /// Whether it begins unfelt.
    public let mute = DefaultedParam("mute", default: false)
    /// How long it may play on after its client.
    public let keepAfterDisconnect = keepAfterDisconnectParam
    /// The pads it is felt on.
    public let device = DefaultedParam("device", default: "all")
  }

  public struct Result: ScheduledResult, Codable, Sendable, Equatable {
    /// What is played: `pack:pattern`, or `inline`, `transient` or `continuous`.
    public var source: String
    /// The player's number, which the other methods take; missing where it is skipped.
    public var player: Int64?
    /// Why it is not played; missing where it is, or where only its instant will show that.
    public var skipped: SkipReason?
    /// The instant at which it is felt to begin.
    public var scheduledUs: Int64
    /// How much later than asked for that is.
    public var lateUs: Int64
    /// Length of one whole pass at the rate asked for: to the pattern's end or, where it loops, to its `loopEndUs`. What
    /// `offsetUs` passes over makes only the first pass shorter.
    public var durationUs: Int64

    public init(
      source: String, player: Int64?, skipped: SkipReason? = nil, scheduledUs: Int64, lateUs: Int64, durationUs: Int64
    ) {
      self.source = source
      self.player = player
      self.skipped = skipped
      self.scheduledUs = scheduledUs
      self.lateUs = lateUs
      self.durationUs = durationUs
    }
  }
}

/// Stops a haptic player, or all.
public enum HapticsStop: WireMethod {
  public static let name = "haptics.stop"
  public static let summary = "Stops a player, or all players when none is named."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// The player, by its number in the reply to `haptics.play`; all players when missing.
    public var player: Int64?
    /// The instant from which nothing of it is felt, or, where all are stopped, nothing of what has begun before; as soon as
    /// possible when missing.
    public var atUs: Int64?

    public init(player: Int64? = nil, atUs: Int64? = nil) {
      self.player = player
      self.atUs = atUs
    }
  }
  public typealias Result = Scheduled
}

/// Plays one transient.
public enum HapticsTransient: WireMethod {
  public static let name = "haptics.transient"
  public static let summary = "Plays a single transient, which is felt as one short knock."
  public static let refusals: [RPCError.Kind] = [.busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// How strong it is: 0 is nothing, 1 is the most.
    public var intensity: Double?
    /// How sharp it is: 0 is dull, 1 is sharp.
    public var sharpness: Double?
    /// The instant at which it is felt; as soon as possible when missing.
    public var atUs: Int64?
    /// How long after the client has left it may still begin. What has begun finishes anyway, within 30 s.
    public var keepAfterDisconnectUs: Int64?

    public init(
      intensity: Double? = nil, sharpness: Double? = nil, atUs: Int64? = nil, keepAfterDisconnectUs: Int64? = nil
    ) {
      self.intensity = intensity
      self.sharpness = sharpness
      self.atUs = atUs
      self.keepAfterDisconnectUs = keepAfterDisconnectUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// How strong it is.
    public let intensity = OptionalParam("intensity", in: 0...1, default: 0.75)
    /// How sharp it is: 0 is dull, 1 is sharp.
    public let sharpness = OptionalParam("sharpness", in: 0...1, default: 0.5)
    /// How long it may play on after its client.
    public let keepAfterDisconnect = keepAfterDisconnectParam
  }

  public typealias Result = HapticsPlay.Result
}

/// Plays one steady vibration.
public enum HapticsContinuous: WireMethod {
  public static let name = "haptics.continuous"
  public static let summary = "Plays a steady vibration, which `haptics.sendParameters` can change while it plays."
  public static let refusals: [RPCError.Kind] = [.busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// How long it lasts.
    public var durationUs: Int64
    /// How strong it is: 0 is nothing, 1 is the most.
    public var intensity: Double?
    /// How sharp it is: 0 is dull, 1 is sharp.
    public var sharpness: Double?
    /// The instant at which it is felt to begin; as soon as possible when missing.
    public var atUs: Int64?
    /// How long after the client has left it may still begin. What has begun finishes anyway, within 30 s.
    public var keepAfterDisconnectUs: Int64?

    public init(
      durationUs: Int64, intensity: Double? = nil, sharpness: Double? = nil, atUs: Int64? = nil,
      keepAfterDisconnectUs: Int64? = nil
    ) {
      self.durationUs = durationUs
      self.intensity = intensity
      self.sharpness = sharpness
      self.atUs = atUs
      self.keepAfterDisconnectUs = keepAfterDisconnectUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// How long it lasts: AHAP's own limit.
    public let duration = RangedParam<Int64>(
      "durationUs", in: 1...30_000_000, hint: "a continuous event lasts at most 30 s; loop a pattern for more")
    /// How strong it is.
    public let intensity = OptionalParam("intensity", in: 0...1, default: 0.6)
    /// How sharp it is: 0 is dull, 1 is sharp.
    public let sharpness = OptionalParam("sharpness", in: 0...1, default: 0.422601)
    /// How long it may play on after its client.
    public let keepAfterDisconnect = keepAfterDisconnectParam
  }

  public typealias Result = HapticsPlay.Result
}

/// A haptic player began or ended.
public struct HapticsChanged: WireNotification {
  public static let name = "haptics.changed"
  public static let topic = Topic.haptics
  public static let summary = "A haptic player started, looped or ended at `tUs`, or never began."

  /// The player, by its number in the reply to `haptics.play`; a cue's players have numbers, too.
  public var player: Int64
  /// The pattern's name, or `inline`, `transient` or `continuous`.
  public var source: String
  /// What happened to it.
  public var change: Change
  /// Why it was stopped.
  public var reason: StopReason?
  /// How often it has begun again, counted from 1; only with `looped`.
  public var iteration: Int?
  /// The cue that it is part of, by the id that `cue.fire` gave.
  public var cue: Int64?

  /// What can happen to a player.
  public enum Change: String, Codable, Sendable, CaseIterable {
    /// It began to be felt.
    case started
    /// It began again.
    case looped
    /// Its pattern came to its end.
    case finished
    /// It was ended before that; `reason` says why.
    case stopped
    /// It was called off before it began.
    case cancelled
    /// The switch for haptics was off at its instant: it never began.
    case skipped
  }

  public typealias StopReason = HapticStopReason

  /// What happened to `player`; `cue` is the firing that it is part of.
  public init(
    player: Int64, source: String, change: Change, reason: StopReason? = nil, iteration: Int? = nil, cue: Int64? = nil
  ) {
    self.cue = cue
    self.player = player
    self.source = source
    self.change = change
    self.reason = reason
    self.iteration = iteration
  }
}

/// What the actuators are told, at most 50 times a second, for drawing.
public struct HapticsLevel: WireNotification {
  public static let name = "haptics.level"
  public static let topic = Topic.haptics
  public static let summary =
    "What is felt changed at `tUs`, to this intensity and sharpness; sent at most 50 times a second."

  /// How strong it is, 0...1: of all players together, before an output's own gain.
  public var intensity: Double
  /// How sharp it is, 0...1; 0 where nothing is felt.
  public var sharpness: Double

  public init(intensity: Double, sharpness: Double) {
    self.intensity = intensity
    self.sharpness = sharpness
  }
}
