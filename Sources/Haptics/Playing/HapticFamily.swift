// SPDX-License-Identifier: Apache-2.0

import Timing

/// Players that are driven together, such as all that play one pattern.
public struct HapticFamilyID: Hashable, Sendable, BitwiseCopyable {
  /// The number itself; given out by whoever drives.
  public var rawValue: Int

  /// The family of that number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// What of a family is driven: a factor, 0...1, on top of all else.
public enum HapticDrivenValue: Hashable, Sendable, CaseIterable {
  /// Of every intensity.
  case intensity
  /// Of every sharpness.
  case sharpness
}

/// How a family is driven, over time.
struct HapticFamily: Sendable {
  private(set) var intensity = ControlTrack(neutral: 1, range: 0...1)
  private(set) var sharpness = ControlTrack(neutral: 1, range: 0...1)

  /// Drives a value through points whose times count from `origin`; what was said of that time and later is forgotten.
  mutating func drive(_ value: HapticDrivenValue, _ points: [HapticParameterCurve.Point], from origin: Instant) {
    switch value {
    case .intensity: intensity.replace(with: points, from: origin.nanoseconds)
    case .sharpness: sharpness.replace(with: points, from: origin.nanoseconds)
    }
  }

  /// Whether something is said of times to come.
  var isMoving: Bool { intensity.pieces.count > 1 || sharpness.pieces.count > 1 }
  /// Whether it stays as it would be had nobody driven it.
  var isNeutral: Bool { intensity.isNeutral && sharpness.isNeutral }

  mutating func forget(before instant: Instant) {
    intensity.forget(before: instant.nanoseconds)
    sharpness.forget(before: instant.nanoseconds)
  }
}
