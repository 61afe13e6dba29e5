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
    /// The instant of the cue's zero, from which the offsets of its steps count; as soon as possible when missing.
    public var atUs: Int64?
    /// This client's own name for this firing. `cue.stop` and `after` take it, also before the reply is there; all that is
    /// reported of the firing has it. A later firing under the same tag takes it over.
    public var tag: String?
    /// The tag of another firing of this client, in place of `atUs`: the cue's zero lies `afterUs` after the first touch of
    /// that firing or, where nothing of it is felt, after its zero.
    public var after: String?
    /// How long after the firing that `after` names.
    public var afterUs: Int64?
    /// Puts the cue's zero on the next `beat` or `bar` of the music, or on one of its track's markers, by name.
    public var quantise: Quantise?
    /// How sound and haptics meet. When missing, as the cue's pack says; where it says nothing, `together` with `atUs` or
    /// `quantise`, otherwise `soundFirst`.
    public var align: Align?
    /// How long what of it loops or has not begun goes on after the client has left.
    public var keepAfterDisconnectUs: Int64?

    /// How sound and haptics meet, whose outputs are not equally quick.
    public enum Align: String, Codable, Sendable, CaseIterable {
      /// All wait for the slowest output that is on and there.
      case together
      /// The sound waits for nothing; haptics come with it, or as soon after it as they can. Where the sound is more than 50 ms
      /// away, as on a headset by radio, they do not wait for it: then this is `asap`.
      case soundFirst
      /// Each output plays as soon as it can, haptics perhaps before the sound.
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
    /// The instant of the cue's zero.
    public var scheduledUs: Int64
    /// How much later than asked for that is; 0 when `atUs` was missing.
    public var lateUs: Int64
    /// When its first sound is heard, if it has one.
    public var soundAtUs: Int64?
    /// The volumes that its sounds, its music and what is heard of its patterns follow; steps that are not done are left out.
    public var heardOn: [HeardBus]
    /// When its first haptic is felt, if it has one.
    public var hapticAtUs: Int64?
    /// How much later touch comes than sound: `hapticAtUs` - `soundAtUs`, with their offsets in the cue taken out. Later steps
    /// may lie nearer to their sounds.
    public var skewUs: Int64?
    /// Steps that are not done; empty when there are none.
    public var skipped: [CueSkip]
    /// What was chosen this time in each step that varies.
    public var chosen: [CueStepChoice]
    /// Whether nothing is done, because another firing of the cue is nearer than its cooldown allows.
    public var suppressed: Bool
    /// The number of this firing, for `cue.stop` and in notifications; missing where it was suppressed.
    public var id: Int64?
    /// The `tag` of the request.
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

/// What was chosen in a step that varies.
public struct CueStepChoice: Codable, Sendable, Equatable {
  /// The step's number in its cue, from 0.
  public var step: Int
  /// The sound that is played, `pack:sound` where its pack is not the active one.
  public var sound: String?
  /// The pattern that is played, `pack:pattern` where its pack is not the active one.
  public var pattern: String?
  /// The gain: linear, on top of the sound's own, or the factor of the pattern's intensity.
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

/// A cue does not happen, or ends before its time.
public struct CueCancelled: WireNotification {
  public static let name = "cue.cancelled"
  public static let topic = Topic.cue
  public static let summary = "A cue that was fired does not happen, or ends before its time."

  /// The number that `cue.fire` gave.
  public var id: Int64
  /// The cue, `pack:cue`.
  public var cue: String
  /// Why it does not happen; `stopped` where it had begun.
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
  /// How much later touch comes than sound: `hapticAtUs` - `soundAtUs`, with their offsets in the cue taken out. Later steps
  /// may lie nearer to their sounds.
  public var skewUs: Int64?
  /// Steps that are not done or were called off by now; empty when there are none.
  public var skipped: [CueSkip]
  /// What was chosen this time in each step that varies.
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
