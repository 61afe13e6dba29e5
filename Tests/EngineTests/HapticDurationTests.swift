// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import Engine

/// `durationUs` of `haptics.play` is of one whole pass: what `offsetUs` passes over only makes the first shorter.
@Suite struct HapticDurationTests {
  private static func hum(seconds: Double) -> JSONValue {
    .object([
      "Pattern": .array([
        .object([
          "Event": .object([
            "Time": .integer(0), "EventType": .string("HapticContinuous"), "EventDuration": .number(seconds),
          ])
        ])
      ])
    ])
  }

  @Test func aPassLastsAsLongAsTheNextOnesDoAndTheFirstIsShorterByWhatIsPassedOver() throws {
    for (rate, loopEndUs, passUs, firstUs) in [
      (1, nil, 1_000_000, 700_000), (2, nil, 500_000, 350_000), (1, 600_000, 600_000, 300_000),
      (2, 600_000, 300_000, 150_000),
    ] as [(Double, Int64?, Int64, Int64)] {
      var fixture = try EngineFixture()
      let params = HapticsPlay.Params(
        ahap: Self.hum(seconds: 1), atUs: 2_000_000, rate: rate, loop: true, loopEndUs: loopEndUs, offsetUs: 300_000)
      let played = try fixture.engine.playHaptics(params, by: .daemon)
      #expect(played.durationUs == passUs)
      let turns = try fixture.run(to: 4_000_000).hapticChanges.filter { $0.change == "looped" }.map(\.tUs).prefix(2)
      #expect(Array(turns) == [2_000_000 + firstUs, 2_000_000 + firstUs + passUs], "rate \(rate)")
    }
  }

  @Test func onceItEndsByWhatIsLeftOfTheOnlyPass() throws {
    var fixture = try EngineFixture()
    let params = HapticsPlay.Params(
      ahap: Self.hum(seconds: 1), atUs: 2_000_000, rate: 2, loopEndUs: 600_000, offsetUs: 300_000)
    let played = try fixture.engine.playHaptics(params, by: .daemon)
    #expect(played.durationUs == 500_000)
    #expect(try fixture.run(to: 4_000_000).hapticChanges.filter { $0.change == "finished" }.map(\.tUs) == [2_350_000])
  }
}
