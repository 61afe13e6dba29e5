// SPDX-License-Identifier: Apache-2.0

/// How events that sound together become one level. Players blend by the same law as the events of one pattern, so
/// two players sound like one pattern that holds the events of both.
///
/// - Among **transients** the strongest counts (of equals the sharper). Their 20 ms body is there to be sampled; summed,
///   taps 3 ms apart, as real patterns have them, would add up to a constant 1 and lose all their dynamics.
/// - **Continuous** events add up, as vibrations laid over each other do in an actuator (and in the kernel's ff-memless).
/// - A tap adds to the rumble below it, else it would be lost in every rumble stronger than itself.
/// - The sum is clamped to 1. **Sharpness** is the mean of what sounds, weighted by intensity: a strong dull rumble is
///   not made crisp by a faint buzz, and nothing jumps when an event fades in from zero.
///
/// The law does not depend on the order of events, but for the rounding of sums.
struct HapticBlend {
  private var tapIntensity = 0.0
  private var tapSharpness = 0.0
  private var intensitySum = 0.0
  private var weightedSharpness = 0.0

  @_noAllocation init() {}

  /// Lays a transient's body in, its intensity and sharpness within 0...1.
  @_noAllocation mutating func addTransient(intensity: Double, sharpness: Double) {
    if intensity > tapIntensity || (intensity == tapIntensity && sharpness > tapSharpness) {
      tapIntensity = intensity
      tapSharpness = sharpness
    }
  }

  /// Lays a continuous event in, its intensity and sharpness within 0...1.
  @_noAllocation mutating func addContinuous(intensity: Double, sharpness: Double) {
    intensitySum += intensity
    weightedSharpness += intensity * sharpness
  }

  var isSilent: Bool { tapIntensity + intensitySum <= 0 }

  /// The level felt, at most `gain` (0...1) of full strength.
  func level(gain: Double = 1) -> HapticLevel {
    let total = tapIntensity + intensitySum
    guard total > 0 else { return .silence }
    let sharpness = (tapIntensity * tapSharpness + weightedSharpness) / total
    return HapticLevel(intensity: Float(unitClamp(total) * gain), sharpness: Float(sharpness))
  }
}
