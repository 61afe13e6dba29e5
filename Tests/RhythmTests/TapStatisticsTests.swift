// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import Rhythm

@Suite struct TapStatisticsTests {
  @Test func theMedianKeepsItsSign() {
    let statistics = TapStatistics(errors: [-30, -10, -20, 500, -25])
    #expect(statistics.count == 5)
    #expect(statistics.median == -20)
    // Deviations from -20: 10, 10, 0, 520, 5.
    #expect(statistics.medianAbsoluteDeviation == 10)
    #expect(statistics.mean == 83)
    // Squares of -113, -93, -103, 417, -108 sum to 217580; a quarter is 54395, its root 233.2.
    #expect(statistics.standardDeviation == 233)
  }

  @Test func anEvenCountTakesTheMeanOfTheTwoInTheMiddle() {
    let statistics = TapStatistics(errors: [4, -1, 2, 100])
    #expect(statistics.median == 3)
    #expect(statistics.medianAbsoluteDeviation == 3)
  }

  @Test func fewErrorsSayLittle() {
    let none = TapStatistics(errors: [])
    #expect([none.median, none.medianAbsoluteDeviation, none.mean, none.standardDeviation] == [0, 0, 0, 0])
    let one = TapStatistics(errors: [-7])
    #expect([one.median, one.medianAbsoluteDeviation, one.mean, one.standardDeviation] == [-7, 0, -7, 0])
  }

  @Test func theMedianDeviationIsThatOfAllDeviationsPutInOrder() throws {
    try search(upTo: 200) { random in
      let reach = random.pick([0, 3, 100_000] as [Int64])
      let errors = (0..<random.next(below: 40) + 1).map { _ in random.integer(-reach...reach) }
      let statistics = TapStatistics(errors: errors)
      let deviations = errors.map { abs($0 - statistics.median) }.sorted()
      let (low, high) = (deviations[(errors.count - 1) / 2], deviations[errors.count / 2])
      let middle = Int64((Double(low + high) / 2).rounded())
      try hold(statistics.medianAbsoluteDeviation == middle, "\(statistics) of \(errors), not \(middle)")
    }
  }
}
