// SPDX-License-Identifier: Apache-2.0

import Fades
import Testing

/// What is written on the socket, in packs and after `--fade-curve`.
@Suite struct FadeCurveTests {
  @Test func itsWordsAreThoseOfTheGlossary() {
    #expect(FadeCurve.allCases.map(\.rawValue) == ["equalPower", "linear"])
  }
}
