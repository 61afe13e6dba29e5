// SPDX-License-Identifier: Apache-2.0

import HapticOutput
import Haptics
import Testing
import Timing

/// What a pad of 20 ms would be written, as "millisecond action".
@Suite struct RumbleScheduleTests {
  @Test func aPadThatComesLateJoinsInWhatPlays() {
    var playing = HapticMixer()
    let id = HapticPlayerID(rawValue: 1)
    let pattern = HapticPattern.continuous(intensity: 1, sharpness: 0, duration: .milliseconds(500))
    let zero = Instant(microseconds: 1_000_000)
    playing.apply(.start(id, pattern, source: "x", at: zero, options: HapticPlayOptions()))
    _ = playing.advance(to: zero + .milliseconds(100))
    var schedule = RumbleSchedule(
      motors: MotorProfile(), timing: RumbleTiming(interval: .milliseconds(16)), playing: playing)
    var writes: [(Instant, RumbleAction)] = []
    schedule.advance(to: zero + .milliseconds(200)) { writes.append(($0, $1)) }
    #expect(writes.isEmpty)
    schedule.restart(at: zero + .milliseconds(200)) { writes.append(($0, $1)) }
    #expect(writes.first?.0 == zero + .milliseconds(200))
    #expect(writes.map(\.1) == [.upload(MotorLevels(strong: 1, weak: 0)), .play])
  }

  private func pattern(_ events: [(time: Double, duration: Double, intensity: Double)]) -> HapticPattern {
    HapticPattern(
      AHAPDocument(
        events: events.map { event in
          AHAPEvent(
            .continuous, time: event.time, duration: event.duration,
            parameters: [.intensity: event.intensity, .sharpness: 0])
        }))
  }

  private func schedule(interval: Int64 = 20) -> RumbleSchedule {
    RumbleSchedule(motors: MotorProfile(), timing: RumbleTiming(interval: .milliseconds(interval)), now: .zero)
  }

  private func start(_ pattern: HapticPattern, loops: Bool = false) -> HapticCommand {
    .start(
      HapticPlayerID(rawValue: 1), pattern, source: "", at: Instant(microseconds: 100_000),
      options: HapticPlayOptions(loops: loops))
  }

  /// Walks to `end` milliseconds in steps of `step`.
  private func writes(
    _ schedule: inout RumbleSchedule, _ commands: [HapticCommand] = [], at: Int64 = 0, to end: Int64,
    step: Int64 = 1_000
  ) -> [String] {
    var lines: [String] = []
    let note = { (instant: Instant, action: RumbleAction) in
      let time = instant.microseconds % 1_000 == 0 ? "\(instant.microseconds / 1_000)" : "\(instant.microseconds)us"
      switch action {
      case .upload(let motors):
        lines.append("\(time) \(Int((motors.strong * 255).rounded()))/\(Int((motors.weak * 255).rounded()))")
      case .play: lines.append("\(time) play")
      case .stop: lines.append("\(time) stop")
      }
    }
    schedule.apply(commands, at: Instant(microseconds: at * 1_000), note)
    var now = at
    while now < end {
      now = min(now + step, end)
      schedule.advance(to: Instant(microseconds: now * 1_000), note)
    }
    return lines
  }

  @Test(arguments: [1, 3, 1_000] as [Int64]) func steadyRumbleIsUploadedOnceAndRenewedAtHalfLife(_ step: Int64) {
    var schedule = schedule()
    let lines = writes(&schedule, [start(pattern([(0, 0.3, 0.8)]))], to: 1_000, step: step)
    #expect(
      lines == [
        "100 204/0", "100 play", "175 play", "250 play", "325 play", "400 stop",
      ])
    #expect(schedule.nextDue == nil)
  }

  @Test func aRenewalKeepsItsIntervalToo() {
    var schedule = schedule()
    // The renewal at 175 begins an interval that holds the step at 180. The one due at 250 would keep the end away until
    // 270, and is left to it.
    let lines = writes(&schedule, [start(pattern([(0, 0.08, 0.4), (0.08, 0.085, 0.8)]))], to: 1_000)
    #expect(lines == ["100 102/0", "100 play", "175 204/0", "175 play", "265 stop"])
  }

  @Test func aRenewalThatHadToBeKeepsAChangeAway() {
    // Of 60 ms, an effect lasts 180 and is renewed after 90: the end at 235 lies in the interval after 190, but leaves no
    // more than an interval until the effect would end by itself.
    var schedule = schedule(interval: 60)
    let lines = writes(&schedule, [start(pattern([(0, 0.135, 0.4)]))], to: 1_000)
    #expect(lines == ["100 102/0", "100 play", "190 play", "250 stop"])
  }

  @Test func aWriteThatCameLateKeepsTheNextAway() {
    var schedule = schedule()
    var lines = writes(&schedule, [start(pattern([(0, 0.03, 0.4), (0.03, 0.003, 1), (0.033, 0.1, 0.6)]))], to: 100)
    // Written at 115 only, so that nothing may follow before 135; the peak from 130 to 133 is made up for then.
    schedule.wrote(at: Instant(microseconds: 115_000))
    lines += writes(&schedule, at: 100, to: 1_000)
    #expect(
      lines == [
        "100 102/0", "100 play", "135 255/0", "135 play", "155 153/0", "155 play", "233 stop",
      ])
  }

  @Test func whatThePadRefusedIsWrittenAgain() {
    var schedule = schedule()
    var lines = writes(&schedule, [start(pattern([(0, 0.3, 0.8)]))], to: 150)
    schedule.failed()
    lines += writes(&schedule, at: 150, to: 1_000)
    #expect(lines == ["100 204/0", "100 play", "175 204/0", "175 play", "250 play", "325 play", "400 stop"])
  }

  @Test func effectLastsThreeIntervalsAndAtLeast150Milliseconds() {
    #expect(RumbleTiming(interval: .milliseconds(20)).length == .milliseconds(150))
    #expect(RumbleTiming(interval: .milliseconds(60)).length == .milliseconds(180))
    #expect(RumbleTiming(interval: .zero).interval == .milliseconds(4))
  }

  @Test func tapShorterThanTheIntervalIsFeltForAnInterval() {
    var schedule = schedule(interval: 50)
    let lines = writes(&schedule, [start(.transient(intensity: 1, sharpness: 0))], to: 1_000)
    #expect(lines == ["100 255/0", "100 play", "150 stop"])
  }

  @Test func everyUpdateIsAtLeastThePeakOfItsInterval() {
    var schedule = schedule(interval: 50)
    // 0.2 throughout, 1 from 130 to 135 ms: written with the rumble at 100, as 130 is in its interval.
    let lines = writes(&schedule, [start(pattern([(0, 0.3, 0.2), (0.03, 0.005, 0.8)]))], to: 1_000)
    #expect(lines.first == "100 255/0")
    #expect(lines.contains("150 51/0"))
    #expect(lines.last == "400 stop")
  }

  @Test func updatesAreAnIntervalApartAndLastValueWins() {
    var schedule = schedule()
    // A step every 5 ms, downwards: 1, 0.9, ... 0.1.
    let steps = (0..<10).map { (time: Double($0) * 0.005, duration: 0.005, intensity: 1 - Double($0) / 10) }
    let lines = writes(&schedule, [start(pattern(steps))], to: 1_000)
    #expect(
      lines == [
        "100 255/0", "100 play", "120 153/0", "120 play", "140 51/0", "140 play", "160 stop",
      ])
  }

  @Test func silenceLongerThanTheIntervalSurvives() {
    var schedule = schedule()
    // On 100-110, silent for 22 ms, on 132-182. The update at 120 may not look forward to 132; that tap waits until 140.
    let lines = writes(&schedule, [start(pattern([(0, 0.01, 1), (0.032, 0.05, 0.6)]))], to: 1_000)
    #expect(
      lines == ["100 255/0", "100 play", "120 stop", "140 153/0", "140 play", "182 stop"])
  }

  @Test func silenceShorterThanTheIntervalIsBridged() {
    var schedule = schedule()
    let lines = writes(&schedule, [start(pattern([(0, 0.03, 1), (0.04, 0.03, 1)]))], to: 1_000)
    #expect(lines == ["100 255/0", "100 play", "170 stop"])
  }

  @Test func tapThatHadToWaitIsMadeUpFor() {
    var schedule = schedule()
    // Silence from 110, written at 120 as the next tap is more than an interval after 110; that tap is over at 136.
    let lines = writes(&schedule, [start(pattern([(0, 0.01, 1), (0.031, 0.005, 0.6)]))], to: 1_000)
    #expect(
      lines == ["100 255/0", "100 play", "120 stop", "140 153/0", "140 play", "160 stop"])
  }

  @Test func rampIsWrittenOnceAnInterval() {
    var schedule = schedule()
    let ramp = HapticPattern(
      AHAPDocument(
        events: [AHAPEvent(.continuous, time: 0, duration: 0.1, parameters: [.intensity: 1, .sharpness: 0])],
        controls: [AHAPControl(.intensity, time: 0, points: [.init(time: 0, value: 0), .init(time: 0.1, value: 1)])]))
    let lines = writes(&schedule, [start(ramp)], to: 1_000)
    let uploads = lines.filter { $0.contains("/") }
    // Each as strong as its interval's end: 20, 40, 60, 80, 100 ms.
    #expect(uploads == ["100 51/0", "120 102/0", "140 153/0", "160 204/0", "180 255/0"])
    #expect(lines.last == "200 stop")
  }

  @Test func stopAndMuteEndTheEffect() {
    var schedule = schedule()
    let rumble = start(pattern([(0, 1, 1)]))
    var lines = writes(&schedule, [rumble], to: 150)
    lines += writes(&schedule, [.volume(0)], at: 150, to: 200)
    lines += writes(&schedule, [.volume(1)], at: 200, to: 210)
    lines += writes(&schedule, [.stop(HapticPlayerID(rawValue: 1), at: .zero)], at: 210, to: 300)
    // The last must keep its interval from the one at 200.
    #expect(
      lines == [
        "100 255/0", "100 play", "150 stop", "200 255/0", "200 play", "220 stop",
      ])
  }

  @Test func silencingEndsTheEffectAtOnce() {
    var schedule = schedule()
    var lines = writes(&schedule, [start(pattern([(0, 1, 1)]))], to: 105)
    schedule.silence(at: Instant(microseconds: 105_000)) { at, action in lines.append("\(at.microseconds) \(action)") }
    #expect(lines == ["100 255/0", "100 play", "105000 stop"])
    #expect(schedule.nextDue == nil)
  }

  @Test func padThatIsBackRejoinsInMidPattern() {
    var schedule = schedule()
    _ = writes(&schedule, [start(pattern([(0, 0.2, 0.4), (0.2, 0.3, 0.8)]))], to: 120)
    var lines: [String] = []
    schedule.restart(at: Instant(microseconds: 350_000)) { at, action in
      if at.microseconds == 350_000, case .upload(let motors) = action { lines.append("\(motors.strong)") }
    }
    #expect(lines == ["0.8"])
  }

  @Test func densePatternsNeverWriteMoreOftenThanAllowed() {
    var schedule = schedule()
    let texture = HapticPattern(
      AHAPDocument(
        events: (0..<300).map { number in
          AHAPEvent(
            .transient, time: Double(number) * 0.0037,
            parameters: [.intensity: Double(number % 7) / 6, .sharpness: Double(number % 5) / 4])
        }))
    let lines = writes(&schedule, [start(texture)], to: 2_000)
    // Microseconds, however they are written.
    let times = lines.filter { !$0.hasSuffix("play") }.compactMap { line in
      let time = line.prefix { $0 != " " }
      return time.hasSuffix("us") ? Int(time.dropLast(2)) : Int(time).map { $0 * 1_000 }
    }
    #expect(times.count > 10)
    for (a, b) in zip(times, times.dropFirst()) { #expect(b - a >= 20_000) }
    #expect(lines.last?.hasSuffix("stop") == true)
  }
}
