// SPDX-License-Identifier: Apache-2.0

import Timing

/// What a player can be told to change of all its events while it plays; the other dynamic parameters of AHAP are fixed when
/// a pattern is compiled.
public enum HapticControl: Hashable, Sendable, CaseIterable {
  /// Multiplies the intensity; 0...1, 1 when nothing is said.
  case intensity
  /// Is added to the sharpness (of all events, as Core Haptics' header has it; Apple's article on AHAP speaks of continuous
  /// ones alone); -1...1, 0 when nothing is said.
  case sharpness
  /// Multiplies the volume of what is heard; 0...1, 1 when nothing is said.
  case audioVolume
  /// Is added to its pan; -1...1, 0 when nothing is said.
  case audioPan
  /// Is added to its pitch; -1...1, 0 when nothing is said.
  case audioPitch
  /// Is added to its brightness; -1...1, 0 when nothing is said.
  case audioBrightness

  /// What it is called in AHAP.
  public var parameter: AHAPDynamicParameter {
    switch self {
    case .intensity: .intensity
    case .sharpness: .sharpness
    case .audioVolume: .audioVolume
    case .audioPan: .audioPan
    case .audioPitch: .audioPitch
    case .audioBrightness: .audioBrightness
    }
  }

  /// The values that mean something; others are clamped.
  public var range: ClosedRange<Double> { parameter.range }
  /// Whether it changes what is heard rather than what is felt.
  public var isHeard: Bool { self != .intensity && self != .sharpness }
}

/// A control set to a value at once.
public struct HapticParameter: Hashable, Sendable {
  /// What is set.
  public var control: HapticControl
  /// Clamped to the control's range when used; NaN leaves the control neutral.
  public var value: Double

  /// Sets `control` to `value`.
  public init(_ control: HapticControl, _ value: Double) {
    self.control = control
    self.value = value
  }

  /// The same as a curve of one point.
  public var curve: HapticParameterCurve {
    HapticParameterCurve(control, points: [HapticParameterCurve.Point(time: .zero, value: value)])
  }
}

/// A control driven along straight lines through points.
public struct HapticParameterCurve: Hashable, Sendable {
  /// One corner of a curve.
  public struct Point: Hashable, Sendable {
    /// From the curve's start.
    public var time: Interval
    /// Clamped to the control's range when used.
    public var value: Double

    /// A corner at `time` from the curve's start.
    public init(time: Interval, value: Double) {
      self.time = time
      self.value = value
    }
  }

  /// What the curve drives.
  public var control: HapticControl
  /// In any order; of two at the same time the later in the array counts from there on.
  public var points: [Point]

  /// A curve through `points`.
  public init(_ control: HapticControl, points: [Point]) {
    self.control = control
    self.points = points
  }
}
