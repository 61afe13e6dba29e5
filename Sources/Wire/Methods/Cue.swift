// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// What of the music to wait for, in one word: `beat`, `bar`, or the name of a marker of the track that plays.
public struct Quantise: RawRepresentable, Codable, Sendable, Hashable {
  /// The word.
  public var rawValue: String

  /// The next beat at the track's tempo.
  public static let beat = Quantise(rawValue: "beat")
  /// The next first beat of a bar, by the track's beats per bar.
  public static let bar = Quantise(rawValue: "bar")

  /// What that word stands for.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Has a cue's steps happen together, by their offsets from one instant: its zero.
public enum CueFire: WireMethod {
  public static let name = "cue.fire"
  public static let summary =
    "Fires a cue, a named moment of the game: its sounds, haptics and changes of music come as one plan."
  public static let refusals: [RPCError.Kind] = [.unknownName, .unavailable, .notRunning, .busy]

  public struct Params: QuantisedParams, Codable, Sendable, Equatable {
    /// `pack:cue`, or a bare name of the pack that the client uses.
    public var cue: String
    /// The instant of the cue's zero; as soon as possible when missing.
    public var atUs: Int64?
    /// A tag of this client's own for this firing, by which `cue.stop` and `after` find it before its answer is there; it is given
    /// back in all that is told of the firing. A later firing under the same tag takes it over.
    public var tag: String?
    /// The tag of another firing of this client's, in place of `atUs`: the cue's zero is `afterUs` behind the first touch of that one,
    /// or where nothing of it is felt, behind its zero.
    public var after: String?
    /// How long behind `after`.
    public var afterUs: Int64?
    /// Puts the cue's zero on the next `beat` or `bar` of the music, or on a marker of its track, by name.
    public var quantise: Quantise?
    /// How sound and haptics meet. When missing it is as the cue says; where that says nothing, `together` with `atUs` or
    /// `quantise`, else `soundFirst`.
    public var align: Align?
    /// What of it loops or has not begun goes on for up to this long after the client has gone, at most 30 s; else it
    /// ends with the client.
    public var keepAfterDisconnectUs: Int64?

    /// How sound and haptics meet, their outputs being unequally quick.
    public enum Align: String, Codable, Sendable, CaseIterable {
      /// All wait for the slowest that is on and there.
      case together
      /// The sound waits for nobody; haptics come with it, or as soon after as they can. Where it is more than 50 ms away, as on a
      /// headset by radio, they do not wait for it: then it is as `asap`.
      case soundFirst
      /// Each output as soon as it can, haptics perhaps before the sound.
      case asap
    }

    public init(
      cue: String, atUs: Int64? = nil, tag: String? = nil, after: String? = nil, afterUs: Int64? = nil,
      quantise: Quantise? = nil, align: Align? = nil, keepAfterDisconnectUs: Int64? = nil
    ) {
      self.cue = cue
      self.atUs = atUs
      self.tag = tag
      self.after = after
      self.afterUs = afterUs
      self.quantise = quantise
      self.align = align
      self.keepAfterDisconnectUs = keepAfterDisconnectUs
    }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// How long it may play on after its client.
    public let keepAfterDisconnect = keepAfterDisconnectParam
    /// How far behind another firing.
    public let after = OptionalParam<Int64>(
      "afterUs", in: 0...farthestPlanUs, default: 0, hint: "plan at most an hour ahead")
  }

  public struct Result: CarriesInstants, Codable, Sendable, Equatable {
    /// What is fired, `pack:cue`.
    public var cue: String
    /// The cue's zero.
    public var scheduledUs: Int64
    /// How much later than asked for that is; 0 when `atUs` was missing.
    public var lateUs: Int64
    /// When its first sound is heard, if it has one.
    public var soundAtUs: Int64?
    /// By whose volumes its sounds, its music and what is heard of its patterns are; steps that are not done are left out.
    public var heardOn: [HeardBus]
    /// When its first haptic is felt, if it has one.
    public var hapticAtUs: Int64?
    /// `hapticAtUs - soundAtUs`, offsets within the cue taken out; what is felt later may lie nearer to its sound.
    public var skewUs: Int64?
    /// Steps that could not be done; empty when there are none.
    public var skipped: [CueSkip]
    /// What the steps that vary came to this time.
    public var chosen: [CueStepChoice]
    /// Whether nothing was done because the cue was fired too soon after, or before, another time.
    public var suppressed: Bool
    /// The number by which `cue.stop`, `cue.fired` and others name this firing; none where it was suppressed.
    public var id: Int64?
    /// The tag that it was asked for under.
    public var tag: String?

    public init(
      cue: String, scheduledUs: Int64, lateUs: Int64, soundAtUs: Int64?, heardOn: [HeardBus] = [], hapticAtUs: Int64?,
      skewUs: Int64?, skipped: [CueSkip],
      chosen: [CueStepChoice] = [], suppressed: Bool = false, id: Int64?, tag: String? = nil
    ) {
      self.cue = cue
      self.scheduledUs = scheduledUs
      self.lateUs = lateUs
      self.soundAtUs = soundAtUs
      self.heardOn = heardOn
      self.hapticAtUs = hapticAtUs
      self.skewUs = skewUs
      self.skipped = skipped
      self.chosen = chosen
      self.suppressed = suppressed
      self.id = id
      self.tag = tag
    }

    /// Its zero, and when it is heard and felt.
    public mutating func moveInstants(_ moved: (Int64) -> Int64) {
      scheduledUs = moved(scheduledUs)
      soundAtUs = soundAtUs.map(moved)
      hapticAtUs = hapticAtUs.map(moved)
    }
  }
}

/// What a step of a cue that varies came to.
public struct CueStepChoice: Codable, Sendable, Equatable {
  /// The step's number in its cue, from 0.
  public var step: Int
  /// The sound that is played, `pack:sound` where its pack is not the active one.
  public var sound: String?
  /// The pattern that is played, likewise.
  public var pattern: String?
  /// Linear, on top of the sound's own, or times the pattern's intensities.
  public var gain: Double?
  /// The sound's playback rate.
  public var pitch: Double?

  /// What step number `step` came to.
  public init(step: Int, sound: String? = nil, pattern: String? = nil, gain: Double? = nil, pitch: Double? = nil) {
    self.step = step
    self.sound = sound
    self.pattern = pattern
    self.gain = gain
    self.pitch = pitch
  }
}

/// A cue does not come, or ends before its time.
public struct CueCancelled: WireNotification {
  public static let name = "cue.cancelled"
  public static let topic = Topic.cue
  public static let summary = "A cue that was fired does not happen, or ends before its time."

  /// The number that `cue.fire` gave.
  public var id: Int64
  /// The cue, `pack:cue`.
  public var cue: String
  /// Why it does not come; `stopped` where it had begun.
  public var reason: CancelReason
  /// What of it has happened and stays, such as music that has begun.
  public var tooLate: [String]
  /// The tag that its client fired it under.
  public var tag: String?

  /// A cue that was fired as number `id`.
  public init(id: Int64, cue: String, reason: CancelReason, tooLate: [String] = [], tag: String? = nil) {
    self.id = id
    self.tag = tag
    self.cue = cue
    self.reason = reason
    self.tooLate = tooLate
  }
}

/// A cue was fired.
public struct CueFired: WireNotification {
  public static let name = "cue.fired"
  public static let topic = Topic.cue
  public static let summary = "A cue happens, with its zero at `tUs`; cues of a chapter's feedback are reported, too."

  /// The number that `cue.fire` gave.
  public var id: Int64
  /// The cue, `pack:cue`.
  public var cue: String
  /// When its first sound is heard, if it has one.
  public var soundAtUs: Int64?
  /// When its first haptic is felt, if it has one.
  public var hapticAtUs: Int64?
  /// `hapticAtUs - soundAtUs`, offsets within the cue taken out; what is felt later may lie nearer to its sound.
  public var skewUs: Int64?
  /// Steps that could not be done or were called off by now; empty when there are none.
  public var skipped: [CueSkip]
  /// What the steps that vary came to this time.
  public var chosen: [CueStepChoice]
  /// The tag that its client fired it under.
  public var tag: String?

  /// A cue that was fired as number `id`.
  public init(
    id: Int64, cue: String, soundAtUs: Int64? = nil, hapticAtUs: Int64? = nil, skewUs: Int64? = nil, skipped: [CueSkip],
    chosen: [CueStepChoice] = [], tag: String? = nil
  ) {
    self.id = id
    self.tag = tag
    self.cue = cue
    self.soundAtUs = soundAtUs
    self.hapticAtUs = hapticAtUs
    self.skewUs = skewUs
    self.skipped = skipped
    self.chosen = chosen
  }

  /// When it is heard and felt.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {
    soundAtUs = soundAtUs.map(moved)
    hapticAtUs = hapticAtUs.map(moved)
  }

  /// The firing's.
  public var traced: (kind: TraceKind, id: Int64)? { (.cue, id) }
}
