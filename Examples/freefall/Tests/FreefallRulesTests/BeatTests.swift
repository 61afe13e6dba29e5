// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import RulesUnderTest
import Testing

/// The background breathes with the beats that are told.
@Suite struct BeatTests {
  /// 120 BPM: half a second a beat, so that brightness goes back within 0.3 s and outlines within 0.2 s.
  let beat = Beat(atUs: 10_000_000, bpm: 120)

  func at(_ us: Int64, since: Int64? = 9_000_000) -> Breathing {
    .at(us, sinceUs: since, beat: beat, rules: Rules.underTest.breathing)
  }

  func matches(_ breathing: Breathing, _ brightness: Double, _ outline: Double, _ ring: Double) -> Bool {
    abs(breathing.brightness - brightness) < 0.0004 && abs(breathing.outline - outline) < 0.004
      && abs(breathing.ring - ring) < 0.002
  }

  @Test func aBeatLiftsAllWithinFiftyMilliseconds() {
    #expect(matches(at(10_000_000), 0, 3, 0.5))
    #expect(matches(at(10_025_000), 0.04, 4.5, 0.75))
    #expect(matches(at(10_050_000), 0.08, 6, 1))
    // To the microsecond: 49,999 of 50,000 parts, and all.
    #expect(abs(at(10_049_999).brightness - 0.0799984) < 1e-9)
    #expect(at(10_050_000).brightness == 0.08)
  }

  @Test func brightnessGoesBackOverSixTenthsOfABeatAndOutlinesOverFour() {
    #expect(matches(at(10_150_000), 0.08 * 2 / 3, 4.5, 0.8333))
    #expect(matches(at(10_249_000), 0.0269, 3.015, 0.6683))
    #expect(matches(at(10_250_000), 0.08 / 3, 3, 0.6667))
    #expect(matches(at(10_348_000), 0.000533, 3, 0.5033))
    #expect(matches(at(10_350_000), 0, 3, 0.5))
    #expect(matches(at(10_499_999), 0, 3, 0.5))
  }

  @Test func nothingBreathesBeforePlayOrWithoutIt() {
    #expect(matches(at(10_050_000, since: nil), 0, 3, 0.5))
    #expect(matches(at(10_050_000, since: 10_000_001), 0, 3, 0.5))
    #expect(matches(at(10_050_000, since: 10_000_000), 0.08, 6, 1))
    #expect(matches(.at(5, sinceUs: 0, beat: nil, rules: Rules.underTest.breathing), 0, 3, 0.5))
  }

  @Test func theLastBeatThatWasToldCounts() {
    var clock = BeatClock(rules: Rules.underTest.breathing)
    #expect(clock.beat(atUs: 50) == nil)
    clock.tell(Beat(atUs: 300, bpm: 88))
    clock.tell(Beat(atUs: 100, bpm: 88))
    clock.tell(Beat(atUs: 200, bpm: 88))
    #expect(clock.beat(atUs: 99) == nil)
    #expect(clock.beat(atUs: 100)?.atUs == 100)
    #expect(clock.beat(atUs: 299)?.atUs == 200)
    clock.recall(atUs: 300)
    #expect(clock.beat(atUs: 400)?.atUs == 200)
  }

  @Test func sixteenBeatsAheadAreRememberedAndOfMoreTheEarliestCountAsHeard() {
    var clock = BeatClock(rules: Rules.underTest.breathing)
    for us in 1...16 as ClosedRange<Int64> { clock.tell(Beat(atUs: us, bpm: 88)) }
    // What is ahead can be recalled, and what counts as heard cannot.
    clock.recall(atUs: 1)
    #expect(clock.beat(atUs: 1) == nil)
    for us in 17...18 as ClosedRange<Int64> { clock.tell(Beat(atUs: us, bpm: 88)) }
    clock.recall(atUs: 2)
    #expect(clock.beat(atUs: 2)?.atUs == 2)
    clock.recall(atUs: 3)
    #expect(clock.beat(atUs: 3)?.atUs == 2)
  }

  @Test func howeverManyAreToldTheClockStaysSmall() {
    var clock = BeatClock(rules: Rules.underTest.breathing)
    for us in 0..<10_000 as Range<Int64> { clock.tell(Beat(atUs: us, bpm: 88)) }
    #expect(clock.beat(atUs: 20_000)?.atUs == 9_999)
    clock.tell(Beat(atUs: 30_000, bpm: .nan))
    #expect(clock.beat(atUs: 30_000)?.bpm == 1)
  }
}
