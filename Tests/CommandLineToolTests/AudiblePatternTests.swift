// SPDX-License-Identifier: Apache-2.0

import Haptics
import PatternTools
import Testing
import Timing

@testable import CommandLineTool

@Suite struct AudiblePatternTests {
  private func left(_ pattern: HapticPattern, speed: Double = 1) -> [Float] {
    let samples = AudiblePattern.samples(pattern, rate: 48_000, speed: speed)
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }

  /// How often a signal rises through zero: once a cycle, its overtones being too weak to add crossings.
  private func cycles(_ signal: [Float]) -> Int {
    zip(signal, signal.dropFirst()).count { $0 < 0 && $1 >= 0 }
  }

  @Test func sharpnessIsPitch() {
    let dull = HapticPattern.continuous(intensity: 1, sharpness: 0, duration: .seconds(1))
    let crisp = HapticPattern.continuous(intensity: 1, sharpness: 1, duration: .seconds(1))
    #expect((64...65).contains(cycles(left(dull))))
    #expect((299...300).contains(cycles(left(crisp))))
    // The middle by ear: the square root of 65 times 300.
    #expect(abs(VoiceCoil.frequency(0.5) - 139.642) < 0.001)
  }

  @Test func intensityIsLoudnessAndNothingClips() {
    func peak(_ intensity: Double) -> Float {
      left(.continuous(intensity: intensity, sharpness: 0.5, duration: .seconds(1))).map(abs).max() ?? 0
    }
    #expect(peak(1) < 0.6)
    #expect(peak(1) > 0.3)
    #expect(abs(peak(0.5) / peak(1) - 0.5) < 0.01)
    #expect(peak(0) == 0)
  }

  @Test func lastsAsLongAsThePatternAtItsSpeed() {
    let pattern = HapticPattern.continuous(intensity: 1, sharpness: 0, duration: .seconds(1))
    #expect(left(pattern).count == 48_000)
    #expect(left(pattern, speed: 2).count == 24_000)
    #expect(left(HapticPattern(AHAPDocument(events: []))).isEmpty)
  }

  @Test func bothSidesAreTheSame() {
    let samples = AudiblePattern.samples(.transient(intensity: 1, sharpness: 1), rate: 48_000, speed: 1)
    #expect(stride(from: 0, to: samples.count, by: 2).allSatisfy { samples[$0] == samples[$0 + 1] })
    #expect(samples.contains { $0 != 0 })
  }
}
