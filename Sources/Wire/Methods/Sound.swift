// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// What has a volume of its own, by `settings.set`.
public enum HeardBus: String, Codable, Sendable, CaseIterable {
  /// Tracks.
  case music
  /// Effects, and what is heard of patterns.
  case sound
  /// Spoken lines.
  case voice
}

/// Plays a sound effect.
public enum SoundPlay: WireMethod {
  public static let name = "sound.play"
  public static let summary = "Plays a sound effect, at an instant or as soon as possible."
  public static let refusals: [RPCError.Kind] = [.unknownName, .unavailable, .busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// `pack:sound`, or a bare name of the pack that the client uses.
    public var sound: String
    /// The instant at which its first frame is heard; as soon as possible when missing.
    public var atUs: Int64?
    /// Linear gain 0...4 on top of the pack's; 1 when missing.
    public var gain: Double?
    /// Where it is heard, from -1 (left) to 1 (right), with equal power.
    public var pan: Double?
    /// Playback rate: 2 is twice as fast and an octave higher.
    public var pitch: Double?
    /// Whether it repeats until it is stopped.
    public var loop: Bool?
    /// How long it goes on after the client has left, where it loops or has not begun. What plays once and has begun finishes
    /// anyway.
    public var keepAfterDisconnectUs: Int64?

    public init(
      sound: String, atUs: Int64? = nil, gain: Double? = nil, pan: Double? = nil, pitch: Double? = nil,
      loop: Bool? = nil, keepAfterDisconnectUs: Int64? = nil
    ) {
      self.sound = sound
      self.atUs = atUs
      self.gain = gain
      self.pan = pan
      self.pitch = pitch
      self.loop = loop
      self.keepAfterDisconnectUs = keepAfterDisconnectUs
    }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Linear, on top of the pack's.
    public let gain = OptionalParam("gain", in: linearGains, default: 1)
    /// From left to right.
    public let pan = OptionalParam("pan", in: -1...1, default: 0.0)
    /// Playback rate.
    public let pitch = OptionalParam("pitch", in: 0.25...4, default: 1.0)
    /// Whether it repeats.
    public let loop = DefaultedParam("loop", default: false)
    /// How long it may play on after its client.
    public let keepAfterDisconnect = keepAfterDisconnectParam
  }

  public struct Result: ScheduledResult, Codable, Sendable, Equatable {
    /// What is played, `pack:sound`.
    public var sound: String
    /// Its handle, which `sound.stop` and `sound.set` take; missing where it is skipped.
    public var id: Int64?
    /// Why it is not played; missing where it is, or where only its instant will show that.
    public var skipped: SkipReason?
    /// The instant at which the first frame is heard.
    public var scheduledUs: Int64
    /// How much later than asked for that is.
    public var lateUs: Int64
    /// Length of one pass at the pitch asked for.
    public var durationUs: Int64
    /// The volume that it follows.
    public var bus: HeardBus

    public init(
      sound: String, id: Int64?, skipped: SkipReason? = nil, scheduledUs: Int64, lateUs: Int64, durationUs: Int64,
      bus: HeardBus
    ) {
      self.sound = sound
      self.bus = bus
      self.id = id
      self.skipped = skipped
      self.scheduledUs = scheduledUs
      self.lateUs = lateUs
      self.durationUs = durationUs
    }
  }
}

/// Stops one sound effect, or all.
public enum SoundStop: WireMethod {
  public static let name = "sound.stop"
  public static let summary = "Stops the sound with this handle, or all sounds, with a fade of 5 ms by default."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// The handle from `sound.play`; all sounds when missing.
    public var id: Int64?
    /// The instant at which the fade begins to be heard; as soon as possible when missing.
    public var atUs: Int64?
    /// Length of the fade; less than 5 ms counts as 5 ms.
    public var fadeUs: Int64?

    public init(id: Int64? = nil, atUs: Int64? = nil, fadeUs: Int64? = nil) {
      self.id = id
      self.atUs = atUs
      self.fadeUs = fadeUs
    }
  }
  public static let ranges = DeclickingFade()

  public typealias Result = Scheduled
}

/// A sound effect ended.
public struct SoundFinished: WireNotification {
  public static let name = "sound.finished"
  public static let topic = Topic.sound
  public static let summary = "A sound effect ended, or never began; at `tUs`."

  /// The handle that `sound.play` gave.
  public var id: Int64
  /// The sound, `pack:sound`.
  public var sound: String
  /// Why it is no longer heard.
  public var reason: Reason
  /// The cue that it was part of, by the id that `cue.fire` gave.
  public var cue: Int64?

  public typealias Reason = SoundEnd

  /// A sound that ended; `cue` is the firing that it was part of.
  public init(id: Int64, sound: String, reason: Reason, cue: Int64? = nil) {
    self.id = id
    self.sound = sound
    self.reason = reason
    self.cue = cue
  }
}
