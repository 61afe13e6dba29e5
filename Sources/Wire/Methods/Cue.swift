// SPDX-License-Identifier: Apache-2.0

/// What of the music's grid to wait for.
public enum Quantise: String, Codable, Sendable, CaseIterable {
  /// The next beat at the track's tempo.
  case beat
  /// The next first beat of a bar, by the track's beats per bar.
  case bar
}

/// Fires a cue.
public enum CueFire: WireMethod {
  /// The method's name on the wire.
  public static let name = "cue.fire"
  /// Its one sentence for people.
  public static let summary = "Fires a named moment: its sounds, haptics and music changes as one plan."
  /// Its own kinds of errors.
  public static let refusals: [RPCError.Kind] = [.unknownName, .unavailable, .busy]

  /// What the client asks for.
  public struct Params: Codable, Sendable, Equatable {
    /// A cue of the active pack, or `pack:cue`.
    public var cue: String
    /// The instant of the cue's zero; as soon as possible when missing.
    public var atUs: Int64?
    /// Puts the cue's zero on the next beat or bar of the music.
    public var quantise: Quantise?
    /// How sound and haptics meet when `atUs` is missing; `asap` when missing.
    public var align: Align?
    /// Its haptics play on for up to this long after the client has gone, at most 30 s; silenced at once when missing.
    public var keepAfterDisconnectUs: Int64?

    /// How sound and haptics meet, their outputs being unequally quick.
    public enum Align: String, Codable, Sendable, CaseIterable {
      /// Each output as soon as it can.
      case asap
      /// All wait for the slowest.
      case together
    }

    public init(
      cue: String, atUs: Int64? = nil, quantise: Quantise? = nil, align: Align? = nil,
      keepAfterDisconnectUs: Int64? = nil
    ) {
      self.cue = cue
      self.atUs = atUs
      self.quantise = quantise
      self.align = align
      self.keepAfterDisconnectUs = keepAfterDisconnectUs
    }
  }

  /// The ranges and defaults of its params.
  public static let ranges = Ranges()
  /// The ranges and defaults of its params.
  public struct Ranges: Sendable {
    /// How sound and haptics meet.
    public let align = DefaultedParam("align", default: Params.Align.asap)
    /// How long it may play on after its client.
    public let keepAfterDisconnect = keepAfterDisconnectParameter
  }

  /// What it is answered.
  public struct Result: Codable, Sendable, Equatable {
    /// The cue's zero.
    public var scheduledUs: Int64
    /// How much later than asked for that is; 0 when `atUs` was missing.
    public var lateUs: Int64
    /// When its first sound is heard, if it has one.
    public var soundAtUs: Int64?
    /// When its first haptic is felt, if it has one.
    public var hapticAtUs: Int64?
    /// `hapticAtUs - soundAtUs`, offsets within the cue taken out.
    public var skewUs: Int64?
    /// Steps that could not be done, with the reason.
    public var skipped: [String]
    /// The number by which `cue.fired` and others name this firing.
    public var id: Int64

    public init(
      scheduledUs: Int64, lateUs: Int64, soundAtUs: Int64?, hapticAtUs: Int64?, skewUs: Int64?, skipped: [String],
      id: Int64
    ) {
      self.scheduledUs = scheduledUs
      self.lateUs = lateUs
      self.soundAtUs = soundAtUs
      self.hapticAtUs = hapticAtUs
      self.skewUs = skewUs
      self.skipped = skipped
      self.id = id
    }
  }
}

/// A cue that was to come was called off whole.
public struct CueCancelled: WireNotification {
  /// The notification's name on the wire.
  public static let name = "cue.cancelled"
  /// The topic that carries it.
  public static let topic = Topic.cue
  /// Its one sentence for people.
  public static let summary = "A cue that was fired for later does not come."

  /// The number that `cue.fire` gave.
  public var id: Int64
  /// The cue, `pack:cue` where its pack is not the active one.
  public var cue: String
  /// Why it does not come.
  public var reason: CancelReason

  /// A cue that was fired as number `id`.
  public init(id: Int64, cue: String, reason: CancelReason) {
    self.id = id
    self.cue = cue
    self.reason = reason
  }
}

/// A cue was fired.
public struct CueFired: WireNotification {
  /// The notification's name on the wire.
  public static let name = "cue.fired"
  /// The topic that carries it.
  public static let topic = Topic.cue
  /// Its one sentence for people.
  public static let summary = "A cue's zero is at `tUs`."

  /// The number that `cue.fire` gave.
  public var id: Int64
  /// The cue, `pack:cue` where its pack is not the active one.
  public var cue: String
  /// Steps that could not be done or were called off by now, with the reason; empty when there are none.
  public var skipped: [String]

  /// A cue that was fired as number `id`.
  public init(id: Int64, cue: String, skipped: [String]) {
    self.id = id
    self.cue = cue
    self.skipped = skipped
  }
}
