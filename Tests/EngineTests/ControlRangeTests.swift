import Haptics
import Testing
import Wire

@testable import Engine

@Suite struct ControlRangeTests {
  /// The socket refuses what AHAP would clamp: two tables, one truth.
  @Test(arguments: HapticsScheduleCurve.Control.allCases)
  func theSocketTakesOfAControlWhatItsMeaningIs(_ control: HapticsScheduleCurve.Control) {
    #expect(HapticsScheduleCurve.value(of: control).range == HapticControl(control).range)
  }
}
