// SPDX-License-Identifier: Apache-2.0

import Haptics
import SeededNumbers
import Testing
import Timing

@testable import HapticOutput

/// A pad whose thread took nothing for long does from then on what is felt then.
@Suite struct RejoiningPadTests {
  private func ms(_ value: Int64) -> Instant { .zero + .milliseconds(value) }

  private func start(_ number: UInt64, at: Instant, _ pattern: HapticPattern) -> HapticCommand {
    .start(HapticPlayerID(rawValue: number), pattern, source: "p\(number)", at: at, options: HapticPlayOptions())
  }

  @Test func aPadThatAnswersAgainIsWrittenWhatIsFeltThen() {
    let rumble = HapticPattern.continuous(intensity: 0.5, sharpness: 0, duration: .seconds(10))
    var schedule = RumbleSchedule.made()
    var writes: [String] = []
    let note = { (at: Instant, action: RumbleAction) in writes.append("\(at.microseconds / 1_000) \(action)") }
    schedule.apply([start(1, at: ms(0), rumble)], at: .zero, note)
    schedule.advance(to: ms(10), note)
    #expect(writes.last == "0 play")
    var playing = HapticMixer(now: ms(2_000))
    schedule.rejoin(playing, isStanding: false)
    schedule.advance(to: ms(3_000), note)
    #expect(writes.last == "2000 stop")
    playing.apply(start(2, at: ms(3_500), rumble))
    _ = playing.advance(to: ms(4_000))
    writes = []
    schedule.rejoin(playing, isStanding: true)
    schedule.advance(to: ms(5_000), note)
    #expect(writes.isEmpty)
    schedule.goOn(at: ms(5_000), after: .milliseconds(100), note)
    #expect(writes.last == "5000 play")
  }

  /// Two pads' schedules are told the same by chance, with pauses of the engine; one is not told for spans of time, and joins in with what
  /// plays then. Once both have had an interval to say so, both pads do the same, also when nothing is told of them for long.
  @Test func fromWhereAPadJoinsInAnewItDoesWhatOneDoesThatMissedNothing() throws {
    var compared = 0
    try search(upTo: 120) { random in
      var run = HangingPadRun()
      for _ in 0..<random.integer(10...40) { try run.turn(&random) }
      compared += run.compared
    }
    #expect(compared > 100)
  }
}

/// A pad's schedule that is told nothing now and then, and one that is told all.
private struct HangingPadRun {
  private(set) var compared = 0
  private var now = Instant.zero + .seconds(1)
  private var (mixer, told, whole) = (HapticMixer(), RumbleSchedule.made(), RumbleSchedule.made())
  private var (doesTold, doesWhole) = (Effect(), Effect())
  private var isStanding = false
  private var isHanging = false
  private var next: UInt64 = 1

  mutating func turn(_ random: inout SeededRandom) throws {
    now += .microseconds(random.integer(1...100_000))
    _ = mixer.advance(to: now)
    if random.oneIn(6) {
      isStanding.toggle()
      for isWhole in isHanging ? [true] : [true, false] {
        change(isWhole) { [now, isStanding] schedule, write in
          if isStanding { schedule.stand(at: now, write) } else { schedule.goOn(at: now, after: .zero, write) }
        }
      }
    }
    let commands = (0..<random.integer(0...3)).map { _ in HapticCommand.random(at: now, next: &next, &random) }
    for command in commands { mixer.apply(command) }
    change(true) { [now] in $0.apply(commands, at: now, $1) }
    if isHanging, random.oneIn(2) {
      change(false) { [mixer, now, isStanding] schedule, write in
        schedule.rejoin(mixer, isStanding: isStanding)
        schedule.advance(to: now, write)
      }
      isHanging = false
    } else if !isHanging {
      change(false) { [now] in $0.apply(commands, at: now, $1) }
      isHanging = random.oneIn(4)
    }
    if isHanging || isStanding { return }
    // What is owed is written an interval later at the latest, and nothing is told meanwhile.
    now += .milliseconds(random.pick([40, 200, 2_000]))
    for isWhole in [true, false] { change(isWhole) { [now] in $0.advance(to: now, $1) } }
    _ = mixer.advance(to: now)
    // A level that moves is written when each finds time for it.
    guard (mixer.nextChange(after: now - .milliseconds(40)) ?? .distantFuture) > now + .milliseconds(40) else { return }
    compared += 1
    try #require(doesTold.felt(at: now) == doesWhole.felt(at: now), "at \(now)")
  }

  private mutating func change(
    _ isWhole: Bool, _ body: (inout RumbleSchedule, (Instant, RumbleAction) -> Void) -> Void
  ) {
    var (schedule, does) = isWhole ? (whole, doesWhole) : (told, doesTold)
    body(&schedule) { does.take($1, at: $0) }
    if isWhole { (whole, doesWhole) = (schedule, does) } else { (told, doesTold) = (schedule, does) }
  }
}

/// A pad's one effect, which ends by itself where it is not played anew.
private struct Effect {
  private static let length = RumbleTiming(interval: .milliseconds(16)).length
  private var levels = MotorLevels.still
  private var end = Instant.distantPast

  mutating func take(_ action: RumbleAction, at instant: Instant) {
    switch action {
    case .upload(let new): levels = new
    case .play: end = instant + Self.length
    case .stop: end = .distantPast
    }
  }

  func felt(at now: Instant) -> MotorLevels { now < end ? levels : .still }
}

extension RumbleSchedule {
  /// Of an ordinary pad.
  fileprivate static func made() -> RumbleSchedule {
    RumbleSchedule(motors: MotorProfile(), timing: RumbleTiming(interval: .milliseconds(16)), now: .zero)
  }
}
