// SPDX-License-Identifier: Apache-2.0

/// What an actuator is asked for at one instant.
public struct HapticLevel: Hashable, Sendable, BitwiseCopyable {
  /// Strength, 0 (nothing) to 1 (all the device has).
  public var intensity: Float
  /// Feel, 0 (round, dull) to 1 (crisp); 0 wherever the intensity is 0, so that silence is one value.
  public var sharpness: Float

  /// A level; each part is clamped to 0...1, NaN counts as 0, and no intensity means no sharpness.
  public init(intensity: Float, sharpness: Float) {
    let strength = unitClamp(Double(intensity))
    self.intensity = Float(strength)
    self.sharpness = strength > 0 ? Float(unitClamp(Double(sharpness))) : 0
  }

  /// Nothing to feel.
  public static var silence: HapticLevel { HapticLevel(intensity: 0, sharpness: 0) }
}

/// `value` clamped to 0...1; NaN is 0.
@_noAllocation @inline(__always) package func unitClamp(_ value: Double) -> Double {
  value > 0 ? (value < 1 ? value : 1) : 0
}
