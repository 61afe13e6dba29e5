// SPDX-License-Identifier: Apache-2.0

/// The kinds of event AHAP knows; raw values as in files.
public enum AHAPEventType: String, Hashable, Sendable, CaseIterable {
  /// A tap; an EventDuration does not make it longer, but the pattern.
  case transient = "HapticTransient"
  /// A vibration of some duration, 30 s at most.
  case continuous = "HapticContinuous"
  /// A tone of some duration.
  case audioContinuous = "AudioContinuous"
  /// A sound file.
  case audioCustom = "AudioCustom"

  /// Whether it is felt rather than heard.
  public var isHaptic: Bool { self == .transient || self == .continuous }
}

/// The parameters of one event; raw values as in files.
public enum AHAPEventParameter: String, Hashable, Sendable, CaseIterable {
  /// Strength, 0...1.
  case intensity = "HapticIntensity"
  /// Feel, 0 (round, dull) to 1 (crisp).
  case sharpness = "HapticSharpness"
  /// How long it rises: 0 (shortest) to 1 (longest), not seconds; `HapticEnvelope` has the lengths.
  case attackTime = "AttackTime"
  /// How long it falls when not sustained: 0 (shortest) to 1 (longest), not seconds.
  case decayTime = "DecayTime"
  /// How long it falls after its duration when sustained: 0 (shortest) to 1 (longest), not seconds.
  case releaseTime = "ReleaseTime"
  /// Whether it holds until its duration is over: from 0.5 on it does.
  case sustained = "Sustained"
  /// Loudness, 0...1.
  case audioVolume = "AudioVolume"
  /// -1 (lowest) ... 1 (highest).
  case audioPitch = "AudioPitch"
  /// -1 (left) ... 1 (right).
  case audioPan = "AudioPan"
  /// 0 (dull) ... 1 (as recorded).
  case audioBrightness = "AudioBrightness"

  /// The values that mean something; Core Haptics clamps others.
  public var range: ClosedRange<Double> {
    self == .audioPan || self == .audioPitch ? -1...1 : 0...1
  }

  /// The value in force where a file says nothing (Core Haptics' own, as its engine reports them).
  public func defaultValue(for type: AHAPEventType) -> Double {
    switch self {
    case .intensity: type == .transient ? 0.75 : 0.6
    case .sharpness: type == .transient ? 0.5 : 0.422601
    case .attackTime, .decayTime, .releaseTime, .audioPan, .audioPitch: 0
    case .sustained, .audioVolume, .audioBrightness: 1
    }
  }

  /// Whether the parameter changes anything in an event of that type.
  public func applies(to type: AHAPEventType) -> Bool {
    switch self {
    case .intensity, .sharpness: type.isHaptic
    case .attackTime, .decayTime, .releaseTime, .sustained: type != .transient
    case .audioVolume, .audioPitch, .audioPan, .audioBrightness: !type.isHaptic
    }
  }
}

/// The parameters of a whole pattern, set by Parameter and ParameterCurve; raw values as in files.
public enum AHAPDynamicParameter: String, Hashable, Sendable, CaseIterable {
  /// Multiplies the events' intensity, 0...1.
  case intensity = "HapticIntensityControl"
  /// Is added to their sharpness, of transients too, -1...1.
  case sharpness = "HapticSharpnessControl"
  /// Is added to their attack time, -1...1, as it stands at an event's start.
  case attackTime = "HapticAttackTimeControl"
  /// Is added to their decay time, -1...1, as it stands at an event's start.
  case decayTime = "HapticDecayTimeControl"
  /// Is added to their release time, -1...1, as it stands at the end of an event's duration.
  case releaseTime = "HapticReleaseTimeControl"
  /// Multiplies the volume of what is heard, 0...1.
  case audioVolume = "AudioVolumeControl"
  /// Is added to its pan, -1...1.
  case audioPan = "AudioPanControl"
  /// Is added to its pitch, -1...1.
  case audioPitch = "AudioPitchControl"
  /// Is added to its brightness, -1...1.
  case audioBrightness = "AudioBrightnessControl"
  /// Is added to its attack time, -1...1, as it stands at a sound's start.
  case audioAttackTime = "AudioAttackTimeControl"
  /// Is added to its decay time, -1...1, as it stands at a sound's start.
  case audioDecayTime = "AudioDecayTimeControl"
  /// Is added to its release time, -1...1, as it stands at the end of an event's duration.
  case audioReleaseTime = "AudioReleaseTimeControl"

  /// Whether it multiplies; the others are added.
  public var multiplies: Bool { self == .intensity || self == .audioVolume }
  /// The value that changes nothing.
  public var neutral: Double { multiplies ? 1 : 0 }
  /// The values that mean something; Core Haptics clamps others.
  public var range: ClosedRange<Double> { multiplies ? 0...1 : -1...1 }
}

/// Bounds of what is read.
public enum AHAPLimits {
  /// Bytes a file may have. The longest seen in the wild has 100 kB.
  public static let bytes = 4 << 20
  /// Objects and arrays inside one another. AHAP itself needs six.
  public static let depth = 32
  /// Bytes of a key, an EventType or a ParameterID.
  public static let nameBytes = 128
  /// Bytes of an EventWaveformPath: as many as the name of a pack's file may have.
  public static let pathBytes = 255
  /// Bytes of any other text: what Metadata says.
  public static let textBytes = 65_536
  /// Seconds a continuous event may last, as in Core Haptics.
  public static let continuousDuration = 30.0
  /// Continuous events that sound at once: each is asked whenever the level is. Real files have some ten.
  public static let continuousAtOnce = 64
  /// Points of one curve.
  public static let curvePoints = 4_096
  /// Seconds from a pattern's start beyond which nothing may lie (a day): keeps sums of times far from overflow.
  public static let time = 86_400.0
  /// Findings listed; those after are counted only.
  public static let diagnostics = 200
}
