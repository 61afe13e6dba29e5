// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Timing

@Suite struct HapticMixerTests {
  private let one = HapticPlayerID(rawValue: 1)
  private let two = HapticPlayerID(rawValue: 2)
  /// 0.8 for 100 ms, silence for 100 ms, 0.4 for 100 ms.
  private let steps = pattern(
    """
    {"Version":1,"Pattern":[
    {"Event":{"Time":0,"EventType":"HapticContinuous","EventDuration":0.1,"EventParameters":[
    {"ParameterID":"HapticIntensity","ParameterValue":0.8},{"ParameterID":"HapticSharpness","ParameterValue":0.5}]}},
    {"Event":{"Time":0.2,"EventType":"HapticContinuous","EventDuration":0.1,"EventParameters":[
    {"ParameterID":"HapticIntensity","ParameterValue":0.4},{"ParameterID":"HapticSharpness","ParameterValue":0.5}]}}]}
    """)

  private func mixer(_ options: HapticPlayOptions = HapticPlayOptions(), at start: Instant = .ms(1_000)) -> HapticMixer
  {
    var mixer = HapticMixer(now: .ms(500))
    mixer.apply(.start(one, steps, source: "steps", at: start, options: options))
    return mixer
  }

  @Test func whatWasPlannedForAPlayerIsForgottenWithIt() {
    var mixer = mixer()
    mixer.apply(.start(two, steps, source: "other", at: .ms(1_000), options: HapticPlayOptions()))
    for player in [one, two] {
      mixer.apply(.set(player, .muted(true), at: .ms(2_000_000)))
      mixer.apply(.stop(player, at: .ms(3_000_000)))
    }
    #expect(mixer.pendingCount == 4)
    mixer.apply(.stop(one, at: .ms(500)))
    #expect(mixer.pendingCount == 2)
    // The other plays to its end.
    #expect(mixer.advance(to: .ms(1_300)).last == .finished(two, at: .ms(1_300)))
    #expect(mixer.pendingCount == 0)
    #expect(mixer.nextChange(after: .ms(1_300)) == nil)
  }

  @Test func whatIsForNobodyIsNotKept() {
    var mixer = mixer()
    mixer.apply(.stop(one, at: .ms(500)))
    mixer.apply(.stop(one, at: .ms(3_000_000)))
    mixer.apply(.pause(two, at: .ms(3_000_000)))
    #expect(mixer.pendingCount == 0)
  }

  @Test func stoppingAllForgetsAllThatWasPlanned() {
    var mixer = mixer()
    mixer.apply(.pause(one, at: .ms(3_000_000)))
    mixer.apply(.stopAll(at: .ms(500)))
    #expect(mixer.pendingCount == 0)
  }

  @Test func whatFadesOutGoesToNothingAndStaysThere() {
    var mixer = mixer()
    mixer.apply(.fadeOut(one, over: .ms(50), at: .ms(1_040)))
    // Nothing that it is told brings it back.
    mixer.apply(.sendParameters(one, [HapticParameter(.intensity, 0.5)], at: .ms(1_060)))
    for (at, expected) in [(1_040, 0.8), (1_050, 0.64), (1_060, 0.24), (1_090, 0), (1_250, 0)] as [(Int64, Double)] {
      #expect(abs(Double(mixer.level(at: .ms(at)).intensity) - expected) < 1e-6, "\(at)")
    }
    #expect(mixer.nextChange(after: .ms(1_030)) == .ms(1_040))
    #expect(mixer.advance(to: .ms(1_400)).last == .finished(one, at: .ms(1_300)))
  }

  @Test func playerPlaysItsPatternFromItsInstant() {
    var mixer = mixer()
    #expect(mixer.level(at: .ms(999)) == .silence)
    #expect(isClose(mixer.level(at: .ms(1_000)), 0.8, 0.5))
    #expect(isClose(mixer.level(at: .ms(1_099)), 0.8, 0.5))
    #expect(mixer.level(at: .ms(1_150)) == .silence)
    #expect(isClose(mixer.level(at: .ms(1_250)), 0.4, 0.5))
    #expect(mixer.activeSources(at: .ms(1_050)) == ["steps"])
    #expect(mixer.activeSources(at: .ms(1_150)) == [])

    #expect(mixer.advance(to: .ms(999)) == [])
    #expect(mixer.advance(to: .ms(1_299)) == [.started(one, at: .ms(1_000))])
    #expect(mixer.activePlayers == [one])
    #expect(mixer.advance(to: .ms(5_000)) == [.finished(one, at: .ms(1_300))])
    #expect(mixer.activePlayers == [])
    #expect(mixer.nextChange(after: .ms(5_000)) == nil)
  }

  @Test func nextChangeVisitsEveryEdgeAndTurn() {
    let mixer = mixer()
    var times: [Int64] = []
    var at = Instant.ms(500)
    while let next = mixer.nextChange(after: at) {
      times.append(next.microseconds / 1_000)
      at = next
    }
    #expect(times == [1_000, 1_100, 1_200, 1_300])
  }

  @Test func lateStartEntersInPlace() {
    var mixer = HapticMixer(now: .ms(2_000))
    mixer.apply(.start(one, steps, source: "steps", at: .ms(1_750), options: HapticPlayOptions()))
    #expect(isClose(mixer.level(at: .ms(2_000)), 0.4, 0.5))
    #expect(mixer.advance(to: .ms(3_000)) == [.started(one, at: .ms(1_750)), .finished(one, at: .ms(2_050))])
  }

  @Test func stopSilencesAtItsInstant() {
    var mixer = mixer()
    mixer.apply(.stop(one, at: .ms(1_050)))
    #expect(isClose(mixer.level(at: .ms(1_049)), 0.8, 0.5))
    #expect(mixer.level(at: .ms(1_050)) == .silence)
    #expect(mixer.nextChange(after: .ms(1_000)) == .ms(1_050))
    #expect(mixer.advance(to: .ms(2_000)) == [.started(one, at: .ms(1_000)), .stopped(one, at: .ms(1_050))])
  }

  @Test func playerStoppedBeforeItsStartIsNeverFelt() {
    var mixer = mixer()
    mixer.apply(.stop(one, at: .ms(600)))
    #expect(mixer.advance(to: .ms(2_000)) == [.cancelled(one, at: .ms(600))])
    #expect(mixer.level(at: .ms(2_000)) == .silence)
  }

  @Test func stopAllStopsThoseToComeToo() {
    var mixer = mixer()
    mixer.apply(.start(two, steps, source: "more", at: .ms(9_000), options: HapticPlayOptions()))
    mixer.apply(.stopAll(at: .ms(1_020)))
    let events = mixer.advance(to: .ms(20_000))
    #expect(events == [.started(one, at: .ms(1_000)), .stopped(one, at: .ms(1_020)), .cancelled(two, at: .ms(1_020))])
  }

  @Test func stopOfAPlayerThatIsNotThereDoesNothing() {
    var mixer = mixer()
    mixer.apply(.stop(two, at: .ms(1_000)))
    mixer.apply(.seek(two, to: .ms(5), at: .ms(1_000)))
    #expect(mixer.advance(to: .ms(2_000)).count == 2)
  }

  @Test func pauseHoldsThePlaceAndResumeGoesOnThere() {
    var mixer = mixer()
    mixer.apply(.pause(one, at: .ms(1_040)))
    mixer.apply(.resume(one, at: .ms(3_040)))
    #expect(mixer.level(at: .ms(1_040)) == .silence)
    #expect(mixer.position(of: one, at: .ms(2_000)) == .ms(40))
    #expect(isClose(mixer.level(at: .ms(3_040)), 0.8, 0.5))
    #expect(mixer.level(at: .ms(3_100)) == .silence)
    #expect(mixer.advance(to: .ms(9_000)).last == .finished(one, at: .ms(3_300)))
  }

  @Test func pauseBeforeTheStartDelaysIt() {
    var mixer = mixer()
    mixer.apply(.pause(one, at: .ms(600)))
    #expect(mixer.advance(to: .ms(1_500)) == [])
    mixer.apply(.resume(one, at: .ms(2_000)))
    #expect(
      mixer.advance(to: .ms(9_000)) == [.started(one, at: .ms(2_000)), .finished(one, at: .ms(2_300))])
  }

  @Test func seekGoesToItsPlace() {
    var mixer = mixer()
    mixer.apply(.seek(one, to: .ms(250), at: .ms(1_010)))
    #expect(isClose(mixer.level(at: .ms(1_010)), 0.4, 0.5))
    #expect(mixer.advance(to: .ms(9_000)).last == .finished(one, at: .ms(1_060)))

    var beyond = self.mixer()
    beyond.apply(.seek(one, to: .seconds(100), at: .ms(1_010)))
    #expect(beyond.advance(to: .ms(9_000)).last == .finished(one, at: .ms(1_010)))
  }

  @Test func rateStretchesTheRestOfThePattern() {
    var mixer = mixer()
    // At 50 ms of 300, twice as fast: 250 ms take 125.
    mixer.apply(.set(one, .rate(2), at: .ms(1_050)))
    #expect(isClose(mixer.level(at: .ms(1_074)), 0.8, 0.5))
    #expect(mixer.level(at: .ms(1_075)) == .silence)
    #expect(mixer.nextChange(after: .ms(1_060)) == .ms(1_075))
    #expect(mixer.advance(to: .ms(9_000)).last == .finished(one, at: .ms(1_175)))

    var slow = self.mixer(HapticPlayOptions(rate: 0.5))
    #expect(slow.advance(to: .ms(9_000)).last == .finished(one, at: .ms(1_600)))
    var odd = self.mixer(HapticPlayOptions(rate: 3))
    #expect(odd.advance(to: .ms(9_000)).last == .finished(one, at: .ms(1_100)))
    var absurd = self.mixer(HapticPlayOptions(rate: .nan))
    #expect(absurd.advance(to: .ms(9_000)).last == .finished(one, at: .ms(1_300)))
  }

  @Test func loopsAreExactAndCounted() {
    var mixer = mixer(HapticPlayOptions(loops: true))
    #expect(isClose(mixer.level(at: .ms(1_000 + 300 * 7 + 250)), 0.4, 0.5))
    #expect(
      mixer.advance(to: .ms(1_900)) == [
        .started(one, at: .ms(1_000)), .looped(one, at: .ms(1_300), iteration: 1),
        .looped(one, at: .ms(1_600), iteration: 2), .looped(one, at: .ms(1_900), iteration: 3),
      ])
    // Told to loop no more, it ends at its pattern's end.
    mixer.apply(.set(one, .loops(false), at: .ms(1_950)))
    #expect(mixer.advance(to: .ms(9_000)) == [.finished(one, at: .ms(2_200))])
  }

  @Test func loopEndShortensTheLoop() {
    var mixer = mixer(HapticPlayOptions(loops: true, loopEnd: .ms(50)))
    #expect(mixer.advance(to: .ms(1_120)).last == .looped(one, at: .ms(1_100), iteration: 2))
    // Put before its place, it takes hold at once.
    mixer.apply(.set(one, .loopEnd(.ms(15)), at: .ms(1_120)))
    #expect(mixer.advance(to: .ms(1_130)) == [.looped(one, at: .ms(1_120), iteration: 3)])
  }

  @Test func nothingLoopsMoreOftenThanEveryTenMilliseconds() {
    var mixer = mixer(HapticPlayOptions(loops: true, loopEnd: .zero))
    #expect(mixer.advance(to: .ms(1_100)).count == 11)
  }

  @Test func leapsOfTheClockAreQuickAndKeepTheCount() {
    var mixer = mixer(HapticPlayOptions(loops: true, loopEnd: .ms(10)))
    let events = mixer.advance(to: .ms(1_000 + 864_000_000))
    #expect(events.count < 110)
    #expect(events.last == .looped(one, at: .ms(1_000 + 864_000_000), iteration: 86_400_000))

    var late = HapticMixer(now: .ms(864_001_000))
    late.apply(
      .start(one, steps, source: "s", at: .ms(1_000), options: HapticPlayOptions(loops: true, loopEnd: .ms(10))))
    #expect(late.advance(to: .ms(864_001_000)).last == .looped(one, at: .ms(864_001_000), iteration: 86_400_000))
  }

  @Test(arguments: [
    // From within an event, at its end, in a silence, and behind all.
    (0, 1, 0), (50, 1, 0), (100, 1, 100), (150, 1, 50), (150, 2, 25), (200, 1, 0), (300, 1, 0), (999, 1, 0),
  ])
  func theSilenceThatAPlayerBeginsWithIsUntilItsFirstEvent(offset: Int64, rate: Double, silence: Int64) {
    let options = HapticPlayOptions(rate: rate, offset: .milliseconds(offset))
    #expect(options.silence(of: steps) == .milliseconds(silence))
    if silence > 0 {
      var mixer = mixer(options)
      let first = Instant.ms(1_000 + silence)
      _ = mixer.advance(to: first)
      #expect(mixer.level(at: first - .microseconds(1)).intensity == 0 && mixer.level(at: first).intensity > 0)
    }
  }

  @Test func gainAndMuteOfAPlayerAreItsOwn() {
    var mixer = mixer(HapticPlayOptions(gain: 0.5))
    mixer.apply(.start(two, steps, source: "two", at: .ms(1_000), options: HapticPlayOptions(gain: 0.25)))
    #expect(isClose(mixer.level(at: .ms(1_050)), 0.6, 0.5))
    mixer.apply(.set(two, .muted(true), at: .ms(1_060)))
    #expect(isClose(mixer.level(at: .ms(1_060)), 0.4, 0.5))
    #expect(mixer.activeSources(at: .ms(1_060)) == ["steps"])
    mixer.apply(.set(one, .gain(2), at: .ms(1_070)))
    #expect(isClose(mixer.level(at: .ms(1_070)), 0.8, 0.5))
  }

  @Test func volumeActsOnAllAtOnceAndTimePassesAtZero() {
    var mixer = mixer()
    _ = mixer.advance(to: .ms(1_050))
    mixer.apply(.volume(0))
    #expect(mixer.level(at: .ms(1_050)) == .silence)
    _ = mixer.advance(to: .ms(1_240))
    mixer.apply(.volume(1))
    #expect(isClose(mixer.level(at: .ms(1_240)), 0.4, 0.5))
    mixer.apply(.gain(0.5))
    #expect(isClose(mixer.level(at: .ms(1_240)), 0.2, 0.5))
    mixer.apply(.volume(0.5))
    #expect(isClose(mixer.level(at: .ms(1_240)), 0.1, 0.5))
  }

  @Test func playersBlendLikeTheEventsOfOnePattern() {
    let tap = HapticPattern.transient(intensity: 0.9, sharpness: 1)
    let weak = HapticPattern.transient(intensity: 0.3, sharpness: 0)
    let rumble = HapticPattern.continuous(intensity: 0.1, sharpness: 0.25, duration: .seconds(1))
    var mixer = HapticMixer(now: .zero)
    for (number, pattern) in [tap, weak, rumble].enumerated() {
      mixer.apply(
        .start(
          HapticPlayerID(rawValue: UInt64(number)), pattern, source: "s\(number)", at: .zero,
          options: HapticPlayOptions()))
    }
    // The stronger tap on the rumble; (0.9 * 1 + 0.1 * 0.25) / 1.
    #expect(isClose(mixer.level(at: .ms(1)), 1, 0.925))
    #expect(mixer.activeSources(at: .ms(1)) == ["s0", "s1", "s2"])
  }

  @Test func parametersSentActFromTheirInstant() {
    var mixer = mixer()
    mixer.apply(
      .sendParameters(one, [HapticParameter(.intensity, 0.5), HapticParameter(.sharpness, 0.3)], at: .ms(1_050)))
    #expect(isClose(mixer.level(at: .ms(1_049)), 0.8, 0.5))
    #expect(isClose(mixer.level(at: .ms(1_050)), 0.4, 0.8))
    #expect(mixer.nextChange(after: .ms(1_000)) == .ms(1_050))
    #expect(isClose(mixer.level(at: .ms(1_250)), 0.2, 0.8))
  }

  @Test func sharpnessSentActsOnTapsToo() {
    var mixer = HapticMixer(now: .zero)
    let tap = HapticPattern.transient(intensity: 0.6, sharpness: 0.5)
    mixer.apply(.start(one, tap, source: "tap", at: .zero, options: HapticPlayOptions()))
    mixer.apply(.sendParameters(one, [HapticParameter(.sharpness, 0.3)], at: .ms(5)))
    let curve = HapticParameterCurve(
      .sharpness, points: [.init(time: .zero, value: -0.5), .init(time: .ms(20), value: 0.5)])
    mixer.apply(.scheduleCurve(one, curve, at: .ms(8)))
    #expect(isClose(mixer.level(at: .ms(4)), 0.6, 0.5))
    #expect(isClose(mixer.level(at: .ms(5)), 0.6, 0.8))
    #expect(isClose(mixer.level(at: .ms(8)), 0.6, 0))
    #expect(isClose(mixer.level(at: .ms(18)), 0.6, 0.5))
  }

  @Test func scheduledCurveLeadsTheIntensity() {
    var mixer = mixer()
    let curve = HapticParameterCurve(
      .intensity, points: [.init(time: .zero, value: 1), .init(time: .ms(50), value: 0.5)])
    mixer.apply(.scheduleCurve(one, curve, at: .ms(1_020)))
    #expect(isClose(mixer.level(at: .ms(1_045)), 0.6, 0.5))
    #expect(isClose(mixer.level(at: .ms(1_080)), 0.4, 0.5))
    _ = mixer.advance(to: .ms(1_020))
    #expect(mixer.nextChange(after: .ms(1_020)) == .ms(1_030))
    #expect(mixer.nextChange(after: .ms(1_065)) == .ms(1_070))
    #expect(mixer.nextChange(after: .ms(1_070)) == .ms(1_100))
  }

  @Test func slidersMayBeMovedForLongWithoutGrowth() {
    var mixer = HapticMixer(now: .zero)
    let long = HapticPattern.continuous(intensity: 1, sharpness: 0.5, duration: .seconds(30))
    mixer.apply(.start(one, long, source: "slider", at: .zero, options: HapticPlayOptions()))
    for step in 0..<2_000 {
      let at = Instant.ms(Int64(step) * 8)
      mixer.apply(.sendParameters(one, [HapticParameter(.intensity, Double(step % 100) / 100)], at: at))
      _ = mixer.advance(to: at)
      #expect(isClose(mixer.level(at: at), Float(step % 100) / 100, step % 100 == 0 ? 0 : 0.5))
    }
  }

  @Test func commandsForOneInstantHappenInTheOrderGiven() {
    var mixer = mixer()
    mixer.apply(.set(one, .gain(0.5), at: .ms(1_050)))
    mixer.apply(.set(one, .gain(1), at: .ms(1_020)))
    mixer.apply(.set(one, .gain(0.25), at: .ms(1_050)))
    #expect(isClose(mixer.level(at: .ms(1_060)), 0.2, 0.5))
  }

  @Test func extremeInstantsDoNoHarm() {
    for at in [Instant.distantPast, .distantFuture] {
      for loops in [false, true] {
        var mixer = HapticMixer(now: .zero)
        mixer.apply(.start(one, steps, source: "x", at: at, options: HapticPlayOptions(loops: loops, rate: 1.5)))
        mixer.apply(.seek(one, to: Interval(nanoseconds: .max), at: at))
        mixer.apply(.set(one, .rate(0.1), at: at))
        mixer.apply(.sendParameters(one, [HapticParameter(.intensity, .nan)], at: at))
        mixer.apply(.pause(one, at: .ms(10)))
        mixer.apply(.resume(one, at: .ms(20)))
        _ = mixer.advance(to: .ms(30))
        var end = mixer
        _ = end.advance(to: .distantFuture)
        _ = end.nextChange(after: .distantFuture)
        _ = mixer.level(at: .ms(31))
        _ = mixer.nextChange(after: .ms(31))
      }
    }
  }
}
