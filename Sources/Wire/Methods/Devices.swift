// SPDX-License-Identifier: Apache-2.0

/// The outputs there are.
public enum DevicesList: WireMethod {
  /// The method's name on the wire.
  public static let name = "devices.list"
  /// Its one sentence for people.
  public static let summary = "The audio output and the haptic outputs in use."
  /// Nothing is asked but the name.
  public typealias Params = Empty

  /// What it is answered.
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
  /// The method's name on the wire.
  public static let name = "devices.set"
  /// A path.
  public static let longTexts = ["device"]
  /// Its one sentence for people.
  public static let summary = "Sets how strongly one haptic output plays, at once; until the daemon ends."
  /// Its own kinds of errors.
  public static let refusals: [RPCError.Kind] = [.unknownName]

  /// What the client asks for.
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
  /// The ranges and defaults of its params.
  public static let ranges = Ranges()
  /// The ranges and defaults of its params.
  public struct Ranges: Sendable {
    /// How strongly it plays.
    public let gain = RangedParam("gain", in: 0...1.0)
  }

  /// What it is answered.
  public typealias Result = EngineStatus.HapticOutput
}

/// An output came, went or changed.
public struct DevicesChanged: WireNotification {
  /// The notification's name on the wire.
  public static let name = "devices.changed"
  /// The topic that carries it.
  public static let topic = Topic.devices
  /// Its one sentence for people.
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
