// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing

@Suite struct MotorLawTests {
  private func close(_ motors: MotorLevels, _ strong: Double, _ weak: Double) -> Bool {
    abs(motors.strong - strong) < 1e-6 && abs(motors.weak - weak) < 1e-6
  }

  @Test func dullIsTheHeavyMotorAndSharpTheLightOne() {
    let profile = MotorProfile()
    #expect(close(profile.motors(for: HapticLevel(intensity: 0.5, sharpness: 0)), 0.5, 0))
    #expect(close(profile.motors(for: HapticLevel(intensity: 0.5, sharpness: 1)), 0, 0.5))
    // cos 45° = sin 45° = 0.70710678
    #expect(close(profile.motors(for: HapticLevel(intensity: 1, sharpness: 0.5)), 0.70710678, 0.70710678))
    // cos 30° = 0.8660254, sin 30° = 0.5
    #expect(close(profile.motors(for: HapticLevel(intensity: 1, sharpness: 1.0 / 3)), 0.8660254, 0.5))
    #expect(profile.motors(for: .silence) == .still)
  }

  @Test func whateverIsFeltIsAboveTheFloor() {
    let profile = MotorProfile(floor: 0.2, gamma: 2)
    // 0.2 + 0.8 * 0.5^2
    #expect(close(profile.motors(for: HapticLevel(intensity: 0.5, sharpness: 0)), 0.4, 0))
    #expect(close(profile.motors(for: HapticLevel(intensity: 1, sharpness: 0)), 1, 0))
    #expect(profile.motors(for: HapticLevel(intensity: 0.01, sharpness: 0)).strong > 0.2)
    #expect(profile.motors(for: .silence) == .still)
  }

  @Test func absurdProfilesAreHeldInBounds() {
    #expect(MotorProfile(floor: .nan, gamma: .nan) == MotorProfile())
    #expect(MotorProfile(floor: 5, gamma: -1) == MotorProfile(floor: 0.9, gamma: 0.25))
  }
}
