// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct StatisticsTests {
  @Test func theMiddleOfAnEvenCountLiesBetweenTheTwo() {
    #expect(Statistics([4, 1, 3, 2])?.median == 2)
    #expect(Statistics([40, 10, 30, 20])?.median == 25)
    #expect(Statistics([3, 1, 2])?.median == 2)
  }

  @Test func theNinetyNinthPercentileLeavesOutOneInAHundred() {
    #expect(Statistics(Array(1...100))?.p99 == 99)
    #expect(Statistics(Array(1...200))?.p99 == 198)
    #expect(Statistics(Array(1...50))?.p99 == 50)
    #expect(Statistics([7])?.p99 == 7)
  }

  @Test func theDeviationIsOfTheSetItself() {
    let statistics = Statistics([2, 4, 4, 4, 5, 5, 7, 9])
    #expect(statistics?.mean == 5)
    #expect(statistics?.standardDeviation == 2)
    #expect(statistics?.least == 2)
    #expect(statistics?.most == 9)
  }

  @Test func nothingHasNoStatistics() {
    #expect(Statistics([]) == nil)
  }
}
