// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import CommandLineTool

@Suite struct FeltPeakTests {
  private func level(_ intensity: Double) -> HapticsLevel { HapticsLevel(intensity: intensity, sharpness: 0.5) }

  @Test func aPeakIsToldWithTheInstantAtWhichItWasFelt() {
    var felt = FeltPeak()
    #expect(felt.take(level(0.4), tUs: 1_000) == nil)
    #expect(felt.take(level(0.9), tUs: 21_000) == nil)
    #expect(felt.take(level(0.2), tUs: 41_000) == nil)
    #expect(felt.take(level(0), tUs: 61_000) == .init(intensity: 0.9, sharpness: 0.5, tUs: 21_000))
    #expect(felt.take(level(0), tUs: 81_000) == nil && felt.end() == nil)
  }

  @Test func whatLastsIsToldEachHalfSecond() {
    var felt = FeltPeak()
    #expect(felt.take(level(1), tUs: 0) == nil)
    #expect(felt.take(level(0.5), tUs: 499_999) == nil)
    #expect(felt.take(level(0.7), tUs: 500_000) == .init(intensity: 1, sharpness: 0.5, tUs: 0))
    #expect(felt.end() == .init(intensity: 0.7, sharpness: 0.5, tUs: 500_000))
  }
}
