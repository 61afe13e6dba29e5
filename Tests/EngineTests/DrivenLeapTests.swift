// SPDX-License-Identifier: Apache-2.0

import Mixing
import SeededNumbers
import Testing
import Timing
import Wire

@testable import Engine

/// What is heard of a parameter whose curve becomes another while it moves.
@Suite struct DrivenLeapTests {
  private let me = Cause(client: ClientID(rawValue: 1), line: 1)

  private func parameters(from low: Double, to high: Double) -> String {
    #""fear": {"default": 0.25, "targets": [{"track": "main", "gain": {"power": 1, "from": \#(low), "to": \#(high)}}]}"#
  }

  /// Settings, and packs read anew, in any order and however near: 5 ms behind each pack what is heard is by its curve.
  @Test func whatMovesFollowsANewCurveWithinFiveMilliseconds() throws {
    try search(upTo: 60) { random in
      var curve = (low: 0.2, high: 1.0)
      var fixture = try EngineFixture(parameters: parameters(from: curve.low, to: curve.high))
      var listener = DrivenListener()
      // Of the value and of the curve: from which instant on it is which.
      var settings: [(at: Int64, over: Int64, value: Double)] = []
      var curves: [(frame: Int64, joined: Int64, low: Double, high: Double)] = [(0, 0, curve.low, curve.high)]
      for turn in 0..<30 {
        if random.oneIn(3) {
          let over = random.pick([5_000, 30_000, 400_000, 2_000_000] as [Int64])
          let value = Double(random.next(below: 101)) / 100
          let told = try fixture.engine.setParameter(
            ParameterSet.Params(parameter: "fear", value: value, overUs: over), by: me)
          settings.append((told.scheduledUs, over, value))
        }
        if random.oneIn(4), turn > 0 {
          curve = (Double(random.next(below: 10)) / 10, Double(random.next(below: 10)) / 10)
          let other = try EngineFixture(parameters: parameters(from: curve.low, to: curve.high))
          let turn = fixture.engine.turn
          let soonest = turn.timeline.frame(at: turn.earliestSound)
          curves.append((turn.reachableFrame, soonest + 240 + 1, curve.low, curve.high))
          fixture.reload { $0.manifest = other.engine.catalog.packs[0].manifest }
        }
        let now = fixture.output.now.microseconds
        let actions = fixture.run(to: now + random.integer(1...(random.oneIn(2) ? 3_000 : 150_000)))
        listener.hear(actions.audio, of: .familyGain(0))
      }
      func value(at us: Double) -> Double {
        var (from, to, at, over) = (0.25, 0.25, 0.0, 1.0)
        func now(_ instant: Double) -> Double { from + (to - from) * min(1, max(0, (instant - at) / over)) }
        for setting in settings where Double(setting.at) <= us {
          (from, to) = (now(Double(setting.at)), setting.value)
          (at, over) = (Double(setting.at), Double(setting.over))
        }
        return now(us)
      }
      let end = fixture.engine.turn.reachableFrame
      let frames = Array(stride(from: Int64(480), to: end, by: 13))
      for (frame, heard) in zip(frames, listener.values(at: frames, from: 1)) {
        guard let curve = curves.last(where: { $0.frame <= frame }) else { continue }
        if frame < curve.joined { continue }
        let us = 1_000_000 + Double(frame) * 1_000 / 48
        let expected = curve.low + (curve.high - curve.low) * value(at: us)
        try #require(abs(Double(heard) - expected) < 3e-3, "\(us) us: \(heard), not \(expected)")
      }
    }
  }
}
