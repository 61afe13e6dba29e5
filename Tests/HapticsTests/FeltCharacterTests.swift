// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Timing

/// What the design of Starlight Sync says of how its patterns feel, beside each other: whatever numbers they have.
@Suite struct FeltCharacterTests {
  private func shipped(_ name: String) throws -> HapticPattern {
    let path = "starlight-sync/patterns/\(name)"
    return HapticPattern(try AHAPDocument.parse(contents("Patterns/\(path).ahap"), name: path).document)
  }

  @Test func theHeartbeatPulsesEachBeatStrongerAndSharperThanTheLast() throws {
    let pattern = try shipped("heartbeat")
    // At 85 a minute; a beat has a second, softer stroke, as hearts do.
    let beat = Interval.microseconds(705_882)
    var beats: [[HapticTransient]] = [[]]
    for tap in pattern.transients {
      let number = Int((tap.time.nanoseconds + 1_000_000) / beat.nanoseconds)
      while beats.count <= number { beats.append([]) }
      beats[number].append(tap)
    }
    #expect(beats.count >= 3)
    for (last, next) in zip(beats, beats.dropFirst()) {
      #expect(last.count == 2 && next.count == 2)
      #expect(next[0].intensity > last[0].intensity && next[1].intensity > last[1].intensity)
      #expect(next[0].sharpness > last[0].sharpness && next[1].sharpness > last[1].sharpness)
      #expect(next[1].intensity < next[0].intensity)
    }
    // It pulses: before each beat there is stillness.
    for number in 1..<beats.count {
      #expect(pattern.level(at: beats[number][0].time - .milliseconds(50)).intensity < 0.02)
    }
  }

  @Test func theThudIsOneTapClearlyHeavierThanTheTick() throws {
    let pattern = try shipped("thud")
    #expect(pattern.transients.count == 1)
    let thud = try #require(pattern.transients.first)
    #expect(thud.time == .milliseconds(0))
    // The tick is 0.5 at 0.8: twice as strong, and as dull as that is crisp.
    #expect(thud.intensity >= 2 * 0.5)
    #expect(thud.sharpness <= 0.8 / 4)
    #expect(pattern.duration < .milliseconds(100))
  }

  @Test func theChargeRisesToASnapAtThreeSecondsSharp() throws {
    let pattern = try shipped("capacitor_charge")
    let levels = (0..<30).map { pattern.level(at: .milliseconds(Int64($0) * 100 + 50)) }
    for (last, next) in zip(levels, levels.dropFirst()) {
      #expect(next.intensity > last.intensity)
      #expect(next.sharpness > last.sharpness)
    }
    #expect(levels[0].intensity < 0.2 && levels[29].intensity > 0.6)
    #expect(pattern.transients.map(\.time) == [.seconds(3)])
    let snap = pattern.level(at: .seconds(3))
    #expect(snap.intensity > levels[29].intensity && snap.sharpness > levels[29].sharpness)
    #expect(snap.intensity == 1 && snap.sharpness >= 0.9)
    #expect(pattern.level(at: .seconds(3) + .milliseconds(50)) == .silence)
  }
}
