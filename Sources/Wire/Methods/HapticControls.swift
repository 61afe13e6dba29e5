// SPDX-License-Identifier: Apache-2.0

/// Sets a player's dynamic parameters.
public enum HapticsSendParameters: WireMethod {
  public static let name = "haptics.sendParameters"
  public static let summary =
    "Changes how a player is felt and heard, by controls that act on top of those in its pattern."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// The player, by its number in the reply to `haptics.play`.
    public var player: Int64
    /// Multiplies the intensity of all events, 0...1: AHAP's HapticIntensityControl.
    public var intensity: Double?
    /// Is added to the sharpness of all events, -1...1: AHAP's HapticSharpnessControl.
    public var sharpness: Double?
    /// Multiplies the volume of what is heard, 0...1: AHAP's AudioVolumeControl.
    public var audioVolume: Double?
    /// Is added to the pan of what is heard, -1...1: AHAP's AudioPanControl.
    public var audioPan: Double?
    /// Is added to the pitch of what is heard, -1...1: AHAP's AudioPitchControl.
    public var audioPitch: Double?
    /// Is added to the brightness of what is heard, -1...1: AHAP's AudioBrightnessControl.
    public var audioBrightness: Double?
    /// The instant at which the change is felt; as soon as possible when missing.
    public var atUs: Int64?

    public init(
      player: Int64, intensity: Double? = nil, sharpness: Double? = nil, audioVolume: Double? = nil,
      audioPan: Double? = nil, audioPitch: Double? = nil, audioBrightness: Double? = nil, atUs: Int64? = nil
    ) {
      self.player = player
      self.intensity = intensity
      self.sharpness = sharpness
      self.audioVolume = audioVolume
      self.audioPan = audioPan
      self.audioPitch = audioPitch
      self.audioBrightness = audioBrightness
      self.atUs = atUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// AHAP's control of that name.
    public let intensity = RangedParam("intensity", in: 0...1.0)
    /// AHAP's control of that name.
    public let sharpness = RangedParam("sharpness", in: -1...1.0)
    /// AHAP's control of that name.
    public let audioVolume = RangedParam("audioVolume", in: 0...1.0)
    /// AHAP's control of that name.
    public let audioPan = RangedParam("audioPan", in: -1...1.0)
    /// AHAP's control of that name.
    public let audioPitch = RangedParam("audioPitch", in: -1...1.0)
    /// AHAP's control of that name.
    public let audioBrightness = RangedParam("audioBrightness", in: -1...1.0)
  }

  public typealias Result = Scheduled
}

/// Moves one of a player's dynamic parameters along straight lines.
public enum HapticsScheduleCurve: WireMethod {
  public static let name = "haptics.scheduleCurve"
  /// A curve.
  public static let longParams = ["points"]
  public static let summary = "Moves one of a player's controls along a curve that begins at an instant."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy]

  /// What a curve changes.
  public enum Control: String, Codable, Sendable, CaseIterable {
    /// Multiplies the intensity of all events, 0...1: AHAP's HapticIntensityControl.
    case intensity
    /// Is added to the sharpness of all events, -1...1: AHAP's HapticSharpnessControl.
    case sharpness
    /// Multiplies the volume of what is heard, 0...1: AHAP's AudioVolumeControl.
    case audioVolume
    /// Is added to the pan of what is heard, -1...1: AHAP's AudioPanControl.
    case audioPan
    /// Is added to the pitch of what is heard, -1...1: AHAP's AudioPitchControl.
    case audioPitch
    /// Is added to the brightness of what is heard, -1...1: AHAP's AudioBrightnessControl.
    case audioBrightness
  }

  /// What a curve may drive it to: what `haptics.sendParameters` takes.
  public static func value(of control: Control) -> RangedParam<Double> {
    let controls = HapticsSendParameters.ranges
    return switch control {
    case .intensity: controls.intensity
    case .sharpness: controls.sharpness
    case .audioVolume: controls.audioVolume
    case .audioPan: controls.audioPan
    case .audioPitch: controls.audioPitch
    case .audioBrightness: controls.audioBrightness
    }
  }

  /// One corner of a curve.
  public struct Point: Codable, Sendable, Equatable {
    /// How long after the curve's start the point comes, by the clock.
    public var timeUs: Int64
    /// The control's value there: 0...1 for `intensity` and `audioVolume`, -1...1 for the others.
    public var value: Double

    public init(timeUs: Int64, value: Double) {
      self.timeUs = timeUs
      self.value = value
    }
  }

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// The player, by its number in the reply to `haptics.play`.
    public var player: Int64
    /// The control that the curve moves.
    public var control: Control
    /// The points that the curve goes through in straight lines; after the last one its value holds.
    public var points: [Point]
    /// The curve's start; as soon as possible when missing.
    public var atUs: Int64?

    public init(player: Int64, control: Control, points: [Point], atUs: Int64? = nil) {
      self.player = player
      self.control = control
      self.points = points
      self.atUs = atUs
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// At least one.
    public let points = CountedParam("points", count: 1...256)
    /// From the beginning of the curve on, in microseconds.
    public let time = RangedParam("points[].timeUs", in: patternTimes, hint: patternTimeHint)
    /// Of a point, whichever control; that of `control` is what counts.
    public let value = RangedParam("points[].value", in: -1...1.0)
  }

  public typealias Result = Scheduled
}
