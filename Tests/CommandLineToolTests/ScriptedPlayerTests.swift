// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct ScriptedPlayerTests {
  private func taps(seed: UInt64, beats: Int) -> [[ScriptedPlayer.Tap]] {
    var player = ScriptedPlayer(seed: seed)
    return (0..<beats).map { player.taps(beat: $0, lane: "left", beatUs: Int64($0) * 1_411_800) }
  }

  @Test func beginsWithHitsAndMissesFiveBeatsBetweenThem() {
    #expect(
      taps(seed: 1, beats: 13).map(\.isEmpty) == [
        false, false, false, true, false, true, true, false, true, true, false, false, false,
      ])
    #expect(ScriptedPlayer(seed: 1).assistedFrom == 10)
  }

  @Test func theSameSeedGivesTheSameTaps() {
    #expect(taps(seed: 3, beats: 30) == taps(seed: 3, beats: 30))
    #expect(taps(seed: 3, beats: 30) != taps(seed: 4, beats: 30))
  }

  @Test(arguments: [UInt64(0), 1, 7, 12_345])
  func nearTapsAreWithinSixtyMillisecondsAndWideOnesOnlyInTheWidenedWindow(seed: UInt64) {
    for (beat, taps) in taps(seed: seed, beats: 200).enumerated() {
      for tap in taps {
        let error = abs(tap.atUs - Int64(beat) * 1_411_800)
        switch tap.intent {
        case .near: #expect(error <= 60_000)
        case .wide: #expect((185_000...215_000).contains(error))
        case .ghost: #expect(error == 700_000)
        }
      }
    }
  }

  @Test func withinTheDemosTwentySecondsThereIsOneOfEach() {
    let all = taps(seed: 7, beats: 13).flatMap { $0 }
    #expect(all.count { $0.intent == .ghost } == 1)
    #expect(all.count { $0.intent == .wide } == 2)
    #expect(all.count { $0.intent == .near } == 6)
  }

  @Test func errorsAreSpreadAroundALittleLate() throws {
    var errors: [Int64] = []
    for (beat, taps) in taps(seed: 9, beats: 3_000).enumerated() {
      errors += taps.filter { $0.intent == .near }.map { $0.atUs - Int64(beat) * 1_411_800 }
    }
    let statistics = try #require(Statistics(errors))
    #expect((3_000.0...5_000).contains(statistics.mean))
    #expect((16_500.0...19_500).contains(statistics.standardDeviation))
  }

  @Test func thePlanLeavesTheLastFifthToTheFinale() {
    let plan = DemoPlan(startUs: 1_000_000, lengthUs: 20_000_000)
    #expect(plan.finaleUs == 17_000_000)
    #expect(plan.endUs == 21_000_000)
    // The chapter's music is half a second in going.
    #expect(plan.leaveUs == 16_400_000)
    #expect(DemoPlan(startUs: 0, lengthUs: 5_000_000).leaveUs == 3_400_000)
  }
}
