// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing
import Timing
import Wire

@testable import Engine

/// What gathers to be told where plans are made and called off faster than that can be told.
@Suite struct UntoldTests {
  private func fixture() throws -> EngineFixture {
    try EngineFixture(cues: #""one": {"steps": [{"sound": "click"}]}"#)
  }

  /// Ways to have a thousand things told as called off.
  enum CallingOff: CaseIterable { case leaving, stopping }

  @Test(arguments: CallingOff.allCases)
  func whoPlansAndCallsOffWithoutEndLeavesNoMoreToTellThanItsUserMayPlan(way: CallingOff) throws {
    var fixture = try fixture()
    var granted = 0
    for number in 1...400 as ClosedRange<UInt64> {
      let own = Cause(client: ClientID(rawValue: way == .leaving ? number : 1), user: 1, line: 1)
      let at = fixture.output.now.microseconds + 3_000_000
      for step in 0..<200 as Range<Int64> {
        let isTaken =
          if way == .stopping || step % 2 == 0 {
            (try? fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: at + step * 5_000), by: own)) != nil
          } else {
            (try? fixture.engine.fireCue(CueFire.Params(cue: "one", atUs: at + step * 5_000), by: own)) != nil
          }
        if isTaken { granted += 1 }
      }
      switch way {
      case .leaving: fixture.engine.clientLeft(own.client)
      case .stopping: _ = try fixture.engine.stopSound(SoundStop.Params(), by: own)
      }
      _ = fixture.run(to: fixture.output.now.microseconds + 2_000)
      // Of a cue both it and its sound are told.
      #expect(fixture.engine.holdings["things to tell"] ?? 0 <= 2 * Shares.ofAUser)
    }
    // It goes on as fast as it is told.
    #expect(granted > 4_000)
    // Another user does as it likes, and so does this one once all is told.
    let other = Cause(client: ClientID(rawValue: 1_000), user: 2, line: 1)
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 90_000_000), by: other)
    _ = fixture.run(to: fixture.output.now.microseconds + 2_000_000)
    #expect(fixture.engine.holdings["things to tell"] == 0)
    let late = Cause(client: ClientID(rawValue: 1_001), user: 1, line: 1)
    for step in 0..<1_000 as Range<Int64> {
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 90_000_000 + step * 5_000), by: late)
    }
  }
}
