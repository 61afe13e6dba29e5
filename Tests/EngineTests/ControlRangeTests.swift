// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Testing
import Wire

@testable import Engine

@Suite struct ControlRangeTests {
  /// What a pack may say of its fades is what can be played.
  @Test func theLongestFadeOfAPackIsTheLongestThatIsTaken() {
    #expect(PackSettings.longestFade.microseconds == fadeLengths.upperBound)
  }

  /// The socket refuses what AHAP would clamp: two tables, one truth.
  @Test(arguments: HapticsScheduleCurve.Control.allCases)
  func theSocketTakesOfAControlWhatItsMeaningIs(_ control: HapticsScheduleCurve.Control) {
    #expect(HapticsScheduleCurve.value(of: control).range == HapticControl(control).range)
  }
}
