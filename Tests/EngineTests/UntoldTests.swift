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
  func whoPlansAndCallsOffWithoutEndGoesOnAsFastAsThatIsTold(way: CallingOff) throws {
    var fixture = try fixture()
    var granted = 0
    for number in 1...100 as ClosedRange<UInt64> {
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
      _ = fixture.run(to: fixture.output.now.microseconds + 8_000)
    }
    #expect(granted > 4_000)
  }

  /// Clients of one user that plan as much as they are granted and leave, or call it off themselves, without end.
  @Test func whoPlansAndCallsOffWithoutEndLeavesNoMoreToTellThanItsUserMayPlan() throws {
    try search(upTo: 5) { random in
      var fixture = try fixture()
      // Few each time, or as many as are granted.
      let most = random.oneIn(2) ? 8 + random.next(below: 8) : 100 + random.next(below: 200)
      let (cues, pause) = (random.next(below: 4), random.integer(0...3_000))
      var (granted, waiting) = (0, 0)
      for number in 1...(9_000 / UInt64(most)) {
        let leaves = random.oneIn(2)
        let own = Cause(client: ClientID(rawValue: leaves ? number + 1 : 1), user: 1, line: 1)
        let at = fixture.output.now.microseconds + 3_000_000
        for step in 0..<Int64(most) {
          let isTaken =
            if random.next(below: 3) < cues {
              (try? fixture.engine.fireCue(CueFire.Params(cue: "one", atUs: at + step * 5_000), by: own)) != nil
            } else {
              (try? fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: at + step * 5_000), by: own)) != nil
            }
          if isTaken { granted += 1 }
        }
        if leaves {
          fixture.engine.clientLeft(own.client)
        } else {
          // Where the mixer has just been given all that it takes, it is refused, and comes with the next.
          _ = try? fixture.engine.stopSound(SoundStop.Params(), by: own)
        }
        _ = fixture.run(to: fixture.output.now.microseconds + random.integer(0...pause))
        waiting = max(waiting, fixture.engine.holdings["things to tell"] ?? 0)
      }
      // Of a cue both it and its sound are told, and what was charged before may be called off yet.
      try hold(waiting <= 2 * Shares.ofAUser + 16, "\(waiting) wait to be told, of \(granted) that were granted")
      // Another user does as it likes, and so does this one once all is told.
      let other = Cause(client: ClientID(rawValue: 1_000), user: 2, line: 1)
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 90_000_000), by: other)
      _ = fixture.run(to: fixture.output.now.microseconds + 2_000_000)
      try hold(fixture.engine.holdings["things to tell"] == 0, "what was called off is not told after 2 s")
      let late = Cause(client: ClientID(rawValue: 1_001), user: 1, line: 1)
      for step in 0..<1_000 as Range<Int64> {
        _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 90_000_000 + step * 5_000), by: late)
      }
    }
  }
}
