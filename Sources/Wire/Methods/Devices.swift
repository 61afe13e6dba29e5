// SPDX-License-Identifier: Apache-2.0

/// The outputs there are.
public enum DevicesList: WireMethod {
  public static let name = "devices.list"
  public static let summary = "Lists the audio output and the haptic outputs in use."
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Equatable {
    /// The one audio output; of kind `null` or `stepped` where no device plays.
    public var audio: EngineStatus.Audio
    /// The haptic outputs, never empty: one of kind `null` stands for none.
    public var haptics: [EngineStatus.HapticOutput]

    public init(audio: EngineStatus.Audio, haptics: [EngineStatus.HapticOutput]) {
      self.audio = audio
      self.haptics = haptics
    }
  }
}

/// Changes an output.
public enum DevicesSet: WireMethod {
  public static let name = "devices.set"
  /// A path.
  public static let longTexts = ["device"]
  public static let summary =
    "Sets the gain of one haptic output, until the daemon ends, or how late the sound device is heard, which is kept."
  public static let refusals: [RPCError.Kind] = [.unknownName, .alreadyRunning]

  public struct Params: Codable, Sendable, Equatable {
    /// The output's name or path, as `devices.list` reports them.
    public var device: String
    /// For a haptic output: the factor of all that it plays.
    public var gain: Double?
    /// For the sound device that plays: how much later it is heard than it reports by itself, negative where earlier.
    public var deviceLeadUs: Int64?

    public init(device: String, gain: Double? = nil, deviceLeadUs: Int64? = nil) {
      self.device = device
      self.gain = gain
      self.deviceLeadUs = deviceLeadUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// How strongly it plays.
    public let gain = RangedParam("gain", in: 0...1.0)
    /// Late is positive.
    public let deviceLead = RangedParam<Int64>(
      "deviceLeadUs", in: deviceLeads, hint: "a device can be 0.1 s early to 1 s late; positive is late")
  }

  /// The one output that was changed.
  public struct Result: Codable, Sendable, Equatable {
    /// The sound device, where it was set.
    public var audio: EngineStatus.Audio?
    /// The haptic output, where it was set.
    public var haptic: EngineStatus.HapticOutput?

    public init(audio: EngineStatus.Audio? = nil, haptic: EngineStatus.HapticOutput? = nil) {
      self.audio = audio
      self.haptic = haptic
    }
  }
}

/// How much later than it reports a sound device may be heard, in microseconds: as much as headsets take, and some more.
public let deviceLeads: ClosedRange<Int64> = -100_000...1_000_000

/// An output came, went or changed.
public struct DevicesChanged: WireNotification {
  public static let name = "devices.changed"
  public static let topic = Topic.devices
  public static let summary =
    "The sound device was lost or found, its lead was set, or a haptic output came, went or changed; the fields say what there is now."

  /// What plays now, for people.
  public var audio: String
  /// How much later the sound device is heard than it reports by itself, as it was calibrated; 0 where none plays.
  public var deviceLeadUs: Int64?
  /// The haptic outputs, where they changed.
  public var haptics: [EngineStatus.HapticOutput]?

  public init(audio: String, deviceLeadUs: Int64? = nil, haptics: [EngineStatus.HapticOutput]? = nil) {
    self.audio = audio
    self.deviceLeadUs = deviceLeadUs
    self.haptics = haptics
  }
}
