// SPDX-License-Identifier: Apache-2.0

import RealTime
import Testing

@Suite struct HangWatchTests {
  /// The looks after which a watch that sees these calls tells of a hang.
  private func alarms(seeing calls: [UInt64?]) -> [Int] {
    var watch = HangWatch()
    return calls.indices.filter { watch.look(at: calls[$0]) }
  }

  @Test func aCallSeenInSixLooksInARowHangs() {
    #expect(alarms(seeing: [7, 7, 7, 7, 7]) == [])
    #expect(alarms(seeing: [7, 7, 7, 7, 7, 7, 7]) == [5, 6])
  }

  @Test func callsThatComeAndGoDoNot() {
    #expect(alarms(seeing: (0..<40).map { UInt64(2 * $0 + 1) }) == [])
    #expect(alarms(seeing: [1, 1, 1, 1, 1, nil, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3]) == [])
  }

  @Test func noCallIsNoHang() {
    #expect(alarms(seeing: Array(repeating: nil, count: 20)) == [])
  }

  /// The first look may be at its very beginning, the last at its end.
  @Test func aCallThatHangsHasLastedForThePatienceAndNotMuchLonger() {
    for patience: Int32 in [1, 300, 1_999, 2_000] {
      let seen = Int32(HangWatch.looks - 1) * HangWatch.interval(patience: patience)
      #expect(patience <= seen && seen < patience + Int32(HangWatch.looks))
    }
  }

  @Test func aWatchOfThreeLooksTellsAtTheThirdInARow() {
    var watch = HangWatch(looks: 3)
    let looks: [UInt64?] = [1, 1, nil, 1, 1, 3, 3, 3, nil, 5]
    var hangs: [Bool] = []
    for call in looks { hangs.append(watch.look(at: call)) }
    #expect(hangs == looks.indices.map { $0 == 7 })
    #expect(HangWatch.interval(patience: 300, looks: 3) == 150)
  }
}
