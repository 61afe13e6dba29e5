// SPDX-License-Identifier: Apache-2.0

import Haptics
import SeededNumbers
import Testing
import Timing

@Suite struct HapticPatternTests {
  private func tap(_ time: Double, _ intensity: Double, _ sharpness: Double) -> AHAPEvent {
    AHAPEvent(.transient, time: time, parameters: [.intensity: intensity, .sharpness: sharpness])
  }

  private func rumble(
    _ time: Double, _ duration: Double, _ intensity: Double, _ sharpness: Double,
    _ more: [AHAPEventParameter: Double] = [:]
  ) -> AHAPEvent {
    let own: [AHAPEventParameter: Double] = [.intensity: intensity, .sharpness: sharpness]
    return AHAPEvent(.continuous, time: time, duration: duration, parameters: own.merging(more) { $1 })
  }

  private func curve(_ parameter: AHAPDynamicParameter, _ time: Double, _ points: [(Double, Double)]) -> AHAPControl {
    AHAPControl(parameter, time: time, points: points.map { AHAPControl.Point(time: $0, value: $1) })
  }

  /// A tap and a rumble, both led up and down: the most is felt while the tap lasts, not where it begins.
  @Test func thePeakIsWhatEventsComeToTogether() {
    let pattern = HapticPattern(
      AHAPDocument(
        events: [tap(0.5, 0.5, 0.5), rumble(0.5, 0.5, 1, 0.5)],
        controls: [curve(.intensity, 0, [(0.5, 0.25), (0.51, 0.5), (0.52, 0.25)])]))
    #expect(pattern.peak == 0.75)
    let tallest = pattern.changes().map { Double($0.level.intensity) }.max()
    #expect(pattern.peak == tallest)
    #expect(HapticPattern(AHAPDocument()).peak == 0)
    #expect(HapticPattern(AHAPDocument(events: [tap(0, 0.5, 0.5), rumble(0, 1, 0.25, 0)])).peak == 0.75)
    #expect(HapticPattern(AHAPDocument(events: [tap(0, 0.5, 0.5), rumble(0.5, 1, 0.25, 0)])).peak == 0.5)
  }

  @Test func nothingIsFeltWithoutEvents() {
    let pattern = HapticPattern(AHAPDocument())
    #expect(pattern.duration == .zero)
    #expect(pattern.level(at: .zero) == .silence)
    #expect(pattern.nextChange(after: .ms(-5)) == nil)
  }

  @Test func transientSoundsForTwentyMilliseconds() {
    let pattern = HapticPattern(AHAPDocument(events: [tap(0.1, 0.8, 0.3)]))
    #expect(pattern.level(at: .ms(100) - Interval(nanoseconds: 1)) == .silence)
    #expect(isClose(pattern.level(at: .ms(100)), 0.8, 0.3))
    #expect(isClose(pattern.level(at: .ms(120) - Interval(nanoseconds: 1)), 0.8, 0.3))
    #expect(pattern.level(at: .ms(120)) == .silence)
    #expect(pattern.duration == .ms(120))
    #expect(pattern.nextChange(after: .zero) == .ms(100))
    #expect(pattern.nextChange(after: .ms(100)) == .ms(120))
    #expect(pattern.nextChange(after: .ms(120)) == nil)
  }

  @Test func defaultsAreThoseOfCoreHaptics() {
    let pattern = HapticPattern(
      AHAPDocument(events: [AHAPEvent(.transient, time: 0), AHAPEvent(.continuous, time: 1, duration: 1)]))
    #expect(isClose(pattern.level(at: .zero), 0.75, 0.5))
    #expect(isClose(pattern.level(at: .ms(1_500)), 0.6, 0.422601))
  }

  @Test func amongTapsTheStrongestCountsAndOfEqualsTheSharper() {
    let pattern = HapticPattern(
      AHAPDocument(events: [tap(0, 0.5, 0.9), tap(0.01, 0.7, 0.2), tap(0.015, 0.7, 0.4), tap(0.016, 0.1, 1)]))
    #expect(isClose(pattern.level(at: .ms(5)), 0.5, 0.9))
    #expect(isClose(pattern.level(at: .ms(12)), 0.7, 0.2))
    #expect(isClose(pattern.level(at: .ms(17)), 0.7, 0.4))
    // At 35 ms only the weak one is left.
    #expect(isClose(pattern.level(at: .ms(35)), 0.1, 1))
  }

  @Test func continuousEventsAddUpAndTheirSharpnessIsWeighted() {
    let pattern = HapticPattern(AHAPDocument(events: [rumble(0, 1, 0.3, 0.2), rumble(0.5, 1, 0.1, 1)]))
    #expect(isClose(pattern.level(at: .ms(200)), 0.3, 0.2))
    // (0.3 * 0.2 + 0.1 * 1) / 0.4 = 0.4
    #expect(isClose(pattern.level(at: .ms(700)), 0.4, 0.4))
    #expect(isClose(pattern.level(at: .ms(1_200)), 0.1, 1))
  }

  @Test func tapIsFeltOnTopOfRumbleAndTheSumIsClamped() {
    let pattern = HapticPattern(AHAPDocument(events: [rumble(0, 1, 0.6, 0), tap(0.5, 0.2, 1), tap(0.7, 0.6, 0.5)]))
    // (0.2 * 1 + 0.6 * 0) / 0.8 = 0.25
    #expect(isClose(pattern.level(at: .ms(510)), 0.8, 0.25))
    // Clamped to 1; (0.6 * 0.5) / 1.2 = 0.25
    #expect(isClose(pattern.level(at: .ms(710)), 1, 0.25))
  }

  @Test func intensityControlMultipliesEverything() {
    let pattern = HapticPattern(
      AHAPDocument(
        events: [rumble(0, 1, 0.8, 0.5), tap(2, 0.6, 0.5)],
        controls: [curve(.intensity, 0.25, [(0, 0.5)]), curve(.intensity, 1.5, [(0, 0.25)])]))
    #expect(isClose(pattern.level(at: .ms(249)), 0.8, 0.5))
    #expect(isClose(pattern.level(at: .ms(250)), 0.4, 0.5))
    #expect(isClose(pattern.level(at: .ms(2_000)), 0.15, 0.5))
  }

  @Test func sharpnessControlIsAddedToAllEvents() {
    let pattern = HapticPattern(
      AHAPDocument(
        events: [rumble(0, 1, 0.5, 0.5), tap(2, 0.6, 0.5)], controls: [curve(.sharpness, 0, [(0, 0.75), (1, -0.25)])]))
    #expect(isClose(pattern.level(at: .zero), 0.5, 1))  // 1.25, clamped
    #expect(isClose(pattern.level(at: .ms(500)), 0.5, 0.75))
    #expect(isClose(pattern.level(at: .ms(900)), 0.5, 0.35))
    #expect(isClose(pattern.level(at: .ms(2_010)), 0.6, 0.25))
  }

  @Test func aTapIsClampedByItselfAndFollowsACurveThroughItsBody() {
    let pattern = HapticPattern(
      AHAPDocument(
        events: [rumble(0, 1, 0.5, 0.1), tap(0, 0.5, 0.9)],
        controls: [curve(.sharpness, 0, [(0, 0.5), (0.02, -0.5)])]))
    // The tap 1.4, clamped to 1, the rumble 0.6: their mean, not the mean of the sums.
    #expect(isClose(pattern.level(at: .zero), 1, 0.8))
    #expect(isClose(pattern.level(at: .ms(10)), 1, 0.5))
    #expect(pattern.nextChange(after: .zero) == .ms(10))
  }

  @Test func ofTapsThatAreEquallyStrongTheOneThatWasSharperCountsAlsoWhenLed() {
    let taps = [tap(0, 0.5, 0.2), tap(0, 0.5, 0.6)]
    let led = HapticPattern(AHAPDocument(events: taps, controls: [curve(.sharpness, 0, [(0, -0.4)])]))
    #expect(isClose(led.level(at: .zero), 0.5, 0.2))
  }

  @Test func theDurationOfATapHoldsThePatternsEndAndLoop() {
    let event = AHAPEvent(.transient, time: 0.1, duration: 0.4, parameters: [.intensity: 0.5])
    let padded = HapticPattern(AHAPDocument(events: [event]))
    #expect(padded.duration == .ms(500))
    #expect(padded.knowing(fileLengths: ["none": .ms(1)]).duration == .ms(500))
    #expect(padded.level(at: .ms(119)).intensity == 0.5 && padded.level(at: .ms(121)) == .silence)
    var mixer = HapticMixer(now: .zero)
    mixer.apply(
      .start(HapticPlayerID(rawValue: 1), padded, source: "x", at: .zero, options: HapticPlayOptions(loops: true)))
    let turns = mixer.advance(to: .ms(600)).map(\.instant)
    #expect(turns == [.zero, .ms(500)])
    // What is shorter than what is felt changes nothing.
    let short = AHAPEvent(.transient, time: 0.1, duration: 0.01, parameters: [.intensity: 0.5])
    #expect(HapticPattern(AHAPDocument(events: [short])).duration == .ms(120))
  }

  /// How many of the last of `decimals` places make a second.
  private func unit(_ decimals: Int) -> Int64 { (0..<decimals).reduce(1) { all, _ in all * 10 } }

  /// So many of the last of `decimals` places, as a file has them: a decimal fraction of a second.
  private func seconds(_ value: Int64, _ decimals: Int) -> Double {
    let digits = String(value % unit(decimals))
    return Double("\(value / unit(decimals))." + String(repeating: "0", count: decimals - digits.count) + digits) ?? 0
  }

  @Test(arguments: [3, 6, 9, 10, 11, 12]) func eventsThatFollowEachOtherLeaveNoGapHoweverTheirTimesAreRounded(
    _ decimals: Int
  ) {
    // Each length is the exact difference of two times.
    var random = SeededRandom(seed: UInt64(decimals))
    let unit = unit(decimals)
    func written(_ value: Int64) -> Double { seconds(value, decimals) }
    for _ in 0..<300 {
      let times = (0..<4).map { _ in Int64.random(in: 0..<20 * unit, using: &random) }.sorted()
      let events = zip(times, times.dropFirst()).map { start, end in
        rumble(written(start), written(end - start), 0.5, 0.5)
      }
      let pattern = HapticPattern(AHAPDocument(events: events))
      let levels = pattern.changes().map(\.level).filter { $0 != .silence }
      #expect(levels.allSatisfy { $0.intensity == 0.5 }, "\(times)")
      let steps = pattern.changes().count
      // Silence before, where there is one, the one level, and silence.
      #expect(steps <= 3, "\(times): \(pattern.changes())")
    }
  }

  @Test(arguments: [3, 6, 9, 10, 11, 12]) func tonesThatFollowEachOtherLeaveNoGapHoweverTheirTimesAreRounded(
    _ decimals: Int
  ) {
    var random = SeededRandom(seed: UInt64(decimals))
    let unit = unit(decimals)
    func written(_ value: Int64) -> Double { seconds(value, decimals) }
    for _ in 0..<300 {
      let times = (0..<5).map { _ in Int64.random(in: 0..<20 * unit, using: &random) }.sorted()
      let kinds: [AHAPEventType] = [.audioContinuous, .audioCustom, .continuous, .audioContinuous]
      let events = zip(kinds, zip(times, times.dropFirst())).map { kind, time in
        var event = AHAPEvent(kind, time: written(time.0), duration: written(time.1 - time.0))
        if kind == .audioCustom { event.waveformPath = "a.wav" }
        return event
      }
      let heard = HapticPattern(AHAPDocument(events: events)).audioEvents
      for (one, next) in zip(heard.prefix(1), heard.dropFirst()) where one.duration ?? .zero > .zero {
        #expect(one.time + (one.duration ?? .zero) == next.time, "\(times)")
      }
    }
  }

  @Test func whatLastsANanosecondIsNotSnappedAway() {
    let pattern = HapticPattern(AHAPDocument(events: [rumble(1, 1e-9, 0.5, 0.5)]))
    #expect(pattern.duration == Interval(nanoseconds: 1_000_000_001))
    #expect(pattern.level(at: .ms(1_000)).intensity == 0.5)
  }

  @Test func curveJoinsItsPointsByStraightLines() {
    let pattern = HapticPattern(
      AHAPDocument(
        events: [rumble(0, 4, 1, 0.5)], controls: [curve(.intensity, 1, [(0.5, 0), (1, 1), (1, 0.2), (2, 0.6)])]))
    // Neutral until its first point at 1.5 s, then along the points, with a step at 2 s; the last value holds.
    #expect(isClose(pattern.level(at: .ms(1_499)), 1, 0.5))
    #expect(pattern.level(at: .ms(1_500)) == .silence)
    #expect(isClose(pattern.level(at: .ms(1_750)), 0.5, 0.5))
    #expect(isClose(pattern.level(at: .ms(2_000)), 0.2, 0.5))
    #expect(isClose(pattern.level(at: .ms(2_500)), 0.4, 0.5))
    #expect(isClose(pattern.level(at: .ms(3_999)), 0.6, 0.5))
  }

  @Test func curveThatStartedLaterWins() {
    let controls = [
      curve(.intensity, 2, [(0, 0.2)]),
      curve(.intensity, 0, [(0, 1), (4, 0)]),
      curve(.intensity, 1, [(0, 0.9), (0.5, 0.8)]),
    ]
    let pattern = HapticPattern(AHAPDocument(events: [rumble(0, 4, 1, 0.5)], controls: controls))
    #expect(isClose(pattern.level(at: .ms(500)), 0.875, 0.5))
    #expect(isClose(pattern.level(at: .ms(1_250)), 0.85, 0.5))
    // The second does not come back when the third has reached its last point.
    #expect(isClose(pattern.level(at: .ms(1_750)), 0.8, 0.5))
    #expect(isClose(pattern.level(at: .ms(3_000)), 0.2, 0.5))
  }

  @Test func ofControlsAtOneInstantTheLastInTheFileWins() {
    let controls = [curve(.intensity, 0.5, [(0, 0.3)]), curve(.intensity, 0.25, [(0.25, 0.7)])]
    let pattern = HapticPattern(AHAPDocument(events: [rumble(0, 1, 1, 0.5)], controls: controls))
    #expect(isClose(pattern.level(at: .ms(499)), 1, 0.5))
    #expect(isClose(pattern.level(at: .ms(600)), 0.7, 0.5))
  }

  @Test func attackAndReleaseAreRampsOutsideAndInsideTheDuration() {
    // AttackTime and ReleaseTime 0.5: (100^0.5 - 1) / 99 s = 90.909091 ms each.
    let pattern = HapticPattern(
      AHAPDocument(events: [rumble(1, 0.5, 0.8, 0.5, [.attackTime: 0.5, .releaseTime: 0.5])]))
    #expect(pattern.level(at: .ms(1_000)) == .silence)
    #expect(isClose(pattern.level(at: .microseconds(1_045_455)), 0.4, 0.5, within: 1e-5))
    #expect(isClose(pattern.level(at: .ms(1_100)), 0.8, 0.5))
    #expect(isClose(pattern.level(at: .ms(1_499)), 0.8, 0.5))
    #expect(isClose(pattern.level(at: .microseconds(1_545_455)), 0.4, 0.5, within: 1e-5))
    #expect(pattern.duration.microseconds == 1_590_909)
    #expect(pattern.level(at: pattern.duration) == .silence)
  }

  @Test func unsustainedEventFallsAfterItsAttackAndHasNoRelease() {
    // DecayTime 1 is 1 s; cut off after 0.6 s, release or not.
    let pattern = HapticPattern(
      AHAPDocument(events: [rumble(0, 0.6, 1, 0.5, [.sustained: 0, .decayTime: 1, .releaseTime: 1])]))
    #expect(isClose(pattern.level(at: .zero), 1, 0.5))
    #expect(isClose(pattern.level(at: .ms(250)), 0.75, 0.5))
    #expect(isClose(pattern.level(at: .ms(590)), 0.41, 0.5))
    #expect(pattern.duration == .ms(600))

    // The shortest decay is a tap's 20 ms.
    let tap = HapticPattern(AHAPDocument(events: [rumble(0, 0.6, 1, 0.5, [.sustained: 0])]))
    #expect(tap.duration == .ms(20))
    #expect(isClose(tap.level(at: .ms(10)), 0.5, 0.5))
  }

  @Test func attackLongerThanTheEventIsReleasedFromWhereItStands() {
    // AttackTime 1 and ReleaseTime 1 are 1 s: at the end, after 0.25 s, a quarter is reached, and falls for a second.
    let pattern = HapticPattern(
      AHAPDocument(events: [rumble(0, 0.25, 1, 0.5, [.attackTime: 1, .releaseTime: 1])]))
    #expect(isClose(pattern.level(at: .ms(200)), 0.2, 0.5))
    #expect(isClose(pattern.level(at: .ms(250)), 0.25, 0.5))
    #expect(isClose(pattern.level(at: .ms(750)), 0.125, 0.5))
    #expect(pattern.duration == .ms(1_250))
  }

  @Test func envelopeControlsShiftTheAdjustersWhereTheyBeginToAct() {
    let controls = [
      curve(.attackTime, 0, [(0, 0.5)]), curve(.attackTime, 0.9, [(0, 0)]), curve(.releaseTime, 1.4, [(0, 1)]),
    ]
    let pattern = HapticPattern(
      AHAPDocument(events: [rumble(0, 0.5, 1, 0.5), rumble(1, 0.5, 1, 0.5)], controls: controls))
    // The first rises for 91 ms, the second at once; only the second ends under the release control, of 1 s.
    #expect(pattern.level(at: .zero) == .silence)
    #expect(pattern.level(at: .ms(500)) == .silence)
    #expect(isClose(pattern.level(at: .ms(1_000)), 1, 0.5))
    #expect(isClose(pattern.level(at: .ms(2_000)), 0.5, 0.5))
    #expect(pattern.duration == .ms(2_500))
  }

  @Test func changesAreAskedForAtEdgesExactlyAndEveryTenMillisecondsWhileMoving() {
    let pattern = HapticPattern(
      AHAPDocument(
        events: [rumble(0.1, 0.1, 1, 0.5)], controls: [curve(.intensity, 0.125, [(0, 1), (0.025, 0.5)])]))
    var times: [Int64] = []
    var time = Interval.zero
    while let next = pattern.nextChange(after: time) {
      times.append(next.microseconds)
      time = next
    }
    #expect(times == [100_000, 125_000, 135_000, 145_000, 150_000, 200_000])
    #expect(
      pattern.changes(step: .ms(25)).map { $0.time.microseconds } == [0, 100_000, 150_000, 200_000])
  }

  @Test func longestContinuousEventIsThirtySeconds() {
    let pattern = HapticPattern.continuous(intensity: 2, sharpness: -3, duration: .seconds(100))
    #expect(pattern.duration == .seconds(30))
    #expect(isClose(pattern.level(at: .seconds(29)), 1, 0))
  }

  @Test func documentsMadeByHandAreClampedToo() {
    let pattern = HapticPattern(
      AHAPDocument(
        events: [tap(-3, .nan, .infinity), tap(1e300, 1, 1), rumble(.nan, -1, 1, 1)],
        controls: [curve(.intensity, .infinity, [(.nan, .nan)]), curve(.sharpness, 0, [])]))
    #expect(isClose(pattern.level(at: .zero), 0.75, 1))
    #expect(pattern.duration == .seconds(86_400) + .ms(20))
  }
}
