// SPDX-License-Identifier: Apache-2.0

/// The outputs there are.
public enum DevicesList: WireMethod {
  public static let name = "devices.list"
  public static let summary = "The audio output and the haptic outputs in use."
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Equatable {
    /// The one audio output; of kind `null` or `stepped` where no device plays.
    public var audio: EngineStatus.Audio
    /// Never empty: one of kind `null` stands for none.
    public var haptics: [EngineStatus.HapticOutput]

    public init(audio: EngineStatus.Audio, haptics: [EngineStatus.HapticOutput]) {
      self.audio = audio
      self.haptics = haptics
    }
  }
}

/// Changes a haptic output.
public enum DevicesSet: WireMethod {
  public static let name = "devices.set"
  /// A path.
  public static let longTexts = ["device"]
  public static let summary = "Sets how strongly one haptic output plays, at once; until the daemon ends."
  public static let refusals: [RPCError.Kind] = [.unknownName]

  public struct Params: Codable, Sendable, Equatable {
    /// The output's name or path, as devices.list tells them.
    public var device: String
    /// Multiplies all that it plays, 0...1.
    public var gain: Double

    public init(device: String, gain: Double) {
      self.device = device
      self.gain = gain
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// How strongly it plays.
    public let gain = RangedParam("gain", in: 0...1.0)
  }

  public typealias Result = EngineStatus.HapticOutput
}

/// An output came, went or changed.
public struct DevicesChanged: WireNotification {
  public static let name = "devices.changed"
  public static let topic = Topic.devices
  public static let summary =
    "The audio device was lost or found, or a pad was plugged in or unplugged: what there is now."

  /// What plays now, for people.
  public var audio: String
  /// The haptic outputs, where they changed.
  public var haptics: [EngineStatus.HapticOutput]?

  public init(audio: String, haptics: [EngineStatus.HapticOutput]? = nil) {
    self.audio = audio
    self.haptics = haptics
  }
}
