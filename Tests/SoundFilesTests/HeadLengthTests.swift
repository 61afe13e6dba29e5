// SPDX-License-Identifier: Apache-2.0

import SoundFiles
import Testing

@Suite struct HeadLengthTests {
  @Test(arguments: [(0, 0.3), (1, 0.3), (45, 0.3), (100, 0.136_533), (136, 0.100_392), (137, 0.1), (4_096, 0.1)])
  func headsAreShorterWhereTheyAreMany(files: Int, seconds: Double) {
    #expect(abs(HeadLength.seconds(of: files, rate: 48_000) - seconds) < 0.000_05)
  }

  @Test func allHeadsOfAPackFitInTheirMemoryUntilTheyAreTheShortest() {
    for rate in [44_100, 48_000, 96_000] {
      for files in 1...500 {
        let seconds = HeadLength.seconds(of: files, rate: rate)
        let bytes = Double(files) * (seconds * Double(rate)).rounded() * 8
        #expect(seconds == HeadLength.shortest || bytes <= Double(HeadLength.bytes) + Double(files) * 4)
      }
    }
  }
}
