// SPDX-License-Identifier: Apache-2.0

import Glibc
import HapticOutput
import Haptics
import SeededNumbers
import Testing
import Timing

/// What is told, and how often a device wakes, where a pattern changes every few microseconds.
@Suite struct DenseChangesTests {
  private static let zero = Instant(microseconds: 1_000_000)

  /// Taps `spacing` microseconds apart, each stronger than the one before but for some.
  private func taps(_ count: Int, every spacing: Int64, seed: UInt64 = 1) -> HapticPattern {
    var random = SeededRandom(seed: seed)
    return HapticPattern(
      AHAPDocument(
        events: (0..<count).map { index in
          AHAPEvent(
            .transient, time: Double(Int64(index) * spacing) / 1e6,
            parameters: [
              .intensity: Double(index + 1) / Double(count) * Double.random(in: 0.999...1, using: &random),
              .sharpness: 0.5,
            ])
        }))
  }

  private func start(_ number: UInt64, _ pattern: HapticPattern, loops: Bool = true) -> HapticCommand {
    .start(
      HapticPlayerID(rawValue: number), pattern, source: "p\(number)",
      at: Self.zero + .microseconds(Int64(number) * 777),
      options: HapticPlayOptions(loops: loops))
  }

  /// Every change, looked at one by one.
  private func allChanges(_ commands: [HapticCommand], to end: Instant) -> [HapticChange] {
    var mixer = HapticMixer()
    for command in commands { mixer.apply(command) }
    var changes: [HapticChange] = []
    var level = HapticLevel.silence
    var position = Instant.distantPast
    while let next = mixer.nextChange(after: position), next <= end {
      _ = mixer.advance(to: next)
      position = next
      let new = mixer.level(at: next)
      if new == level { continue }
      level = new
      let sources = mixer.activeSources(at: next)
      changes.append(
        HapticChange(instant: next, level: new, source: sources.isEmpty ? nil : sources.joined(separator: "+")))
    }
    return changes
  }

  private func told(_ commands: [HapticCommand], to end: Instant, step: Interval) -> (
    changes: [HapticChange], wakes: Int
  ) {
    var stepper = HapticStepper()
    var changes: [HapticChange] = []
    stepper.apply(commands, at: Self.zero - .milliseconds(1)) { changes.append($0) }
    var wakes = 0
    var now = Self.zero
    while now < end {
      now = min(now + step, end)
      while let due = stepper.nextDue, due <= now {
        stepper.advance(to: due) { changes.append($0) }
        wakes += 1
      }
    }
    return (changes, wakes)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func upToAThousandASecondAreToldOneByOne(_ seed: UInt64) {
    // 90 taps, 25 us apart, five times a second: 900 changes.
    let pattern = taps(90, every: 25, seed: seed)
    var commands: [HapticCommand] = []
    for turn in 0..<10 {
      let at = Self.zero + .milliseconds(Int64(turn) * 200)
      commands.append(
        .start(
          HapticPlayerID(rawValue: UInt64(turn + 1)), pattern, source: "x", at: at, options: HapticPlayOptions()))
    }
    let end = Self.zero + .seconds(3)
    let all = allChanges(commands, to: end)
    #expect(all.count > 200)
    #expect(told(commands, to: end, step: .seconds(10)).changes == all)
  }

  @Test func ofMoreOneAMillisecondIsToldTheStrongestAtItsOwnInstant() {
    let commands = [start(1, taps(1_950, every: 4))]
    let end = Self.zero + .seconds(2)
    let all = allChanges(commands, to: end)
    let (lines, wakes) = told(commands, to: end, step: .seconds(10))
    #expect(all.count > 5_000)
    // Exactly what is felt there.
    #expect(Set(all).isSuperset(of: lines))
    // No more than a thousand a second, after the first thousand.
    var previous: HapticChange?
    var told = 0
    for line in lines.dropFirst(1_000) {
      if let previous { #expect(line.instant > previous.instant) }
      previous = line
      told += 1
    }
    #expect(told <= 2_000)
    #expect(wakes <= 1_000 + 2 * 2_000)
    // No peak is lost: near each change something at least as strong is told, or stands.
    var near = lines[...]
    var standing = HapticLevel.silence
    for change in all {
      while let first = near.first, first.instant < change.instant - .milliseconds(1) {
        standing = first.level
        near = near.dropFirst()
      }
      let told = near.prefix { $0.instant <= change.instant + .milliseconds(1) }.map(\.level.intensity)
      #expect((told + [standing.intensity]).max() ?? 0 >= change.level.intensity, "\(change)")
    }
  }

  @Test func ofSeventyEightPatternsOneInThreeMillisecondsIsToldAndIsWhatIsFelt() {
    // Of each so little that together they are no more than can be felt.
    let commands = (1...78).map { number in
      HapticCommand.start(
        HapticPlayerID(rawValue: number), taps(1_950, every: 4, seed: number), source: "p",
        at: Self.zero + .microseconds(Int64(number) * 777), options: HapticPlayOptions(loops: true, gain: 0.012))
    }
    let (lines, wakes) = told(commands, to: Self.zero + .milliseconds(500), step: .milliseconds(500))
    let dense = lines.filter { $0.instant >= Self.zero + .milliseconds(200) }
    #expect((10...101).contains(dense.count), "\(dense.count)")
    #expect(wakes <= 1_000 + 2 * 500 / 3)
    var mixer = HapticMixer()
    for command in commands { mixer.apply(command) }
    for line in lines {
      _ = mixer.advance(to: line.instant)
      #expect(mixer.level(at: line.instant) == line.level)
    }
  }

  @Test(arguments: [7_000, 300] as [Int64]) func theStepsMakeNoDifference(_ step: Int64) {
    let commands = [start(1, taps(1_950, every: 4)), start(2, taps(40, every: 90))]
    let end = Self.zero + .milliseconds(80)
    let whole = told(commands, to: end, step: .seconds(1)).changes
    #expect(told(commands, to: end, step: .microseconds(step)).changes == whole)
    #expect(whole.count > 300)
  }

  @Test func tapsBelowStrongerOnesAreNoChanges() {
    let same = HapticPattern(AHAPDocument(events: (0..<1_950).map { AHAPEvent(.transient, time: Double($0) * 4e-6) }))
    let commands = [start(1, same)]
    let end = Self.zero + .seconds(1)
    let (lines, wakes) = told(commands, to: end, step: .seconds(1))
    #expect(lines == allChanges(commands, to: end))
    // It begins, ends and loops.
    #expect(wakes < 200)
  }

  @Test func whatIsSlowAgainIsToldOneByOneAgain() {
    let slow = taps(4, every: 100)
    let at = Self.zero + .seconds(2)
    let commands = [
      start(1, taps(1_950, every: 4), loops: false),
      .start(HapticPlayerID(rawValue: 2), slow, source: "slow", at: at, options: HapticPlayOptions()),
    ]
    let end = Self.zero + .seconds(3)
    let lines = told(commands, to: end, step: .seconds(10)).changes
    #expect(lines.filter { $0.instant >= at } == allChanges(commands, to: end).filter { $0.instant >= at })
  }

  /// Bunches of changes, some so dense that more than 1,000 come in a second; what is told is held against each second of them.
  @Test func changesAreLeftOutOnlyWhereMoreThanAThousandComeInTheSecondBefore() throws {
    var (leftOut, kept) = (0, 0)
    try search(upTo: 12) { random in
      var commands: [HapticCommand] = []
      var at = Self.zero
      while at < Self.zero + .seconds(8) {
        let (count, apart) = (random.integer(20...700), random.integer(4...300))
        commands.append(
          .start(
            HapticPlayerID(rawValue: UInt64(commands.count + 1)), taps(Int(count), every: apart, seed: random.next()),
            source: "x", at: at, options: HapticPlayOptions()))
        at += .microseconds(count * apart) + .milliseconds(random.oneIn(4) ? random.integer(300...1_500) : 40)
      }
      let end = at + .seconds(1)
      let all = allChanges(commands, to: end)
      // Turns and ends are looked at as well, and change nothing: two of each player at most.
      let slow = all.enumerated().filter { index, change in
        // One that comes in a millisecond which was dense as it began counts to that.
        let since = change.instant - .seconds(1) - .milliseconds(1)
        let players = commands.count { $0.instant.map { $0 > since - .seconds(1) && $0 <= change.instant } ?? false }
        return index < 1_000 - 2 * players || all[index - 1_000 + 2 * players].instant <= since
      }
      let told = Set(told(commands, to: end, step: .seconds(20)).changes)
      for (_, change) in slow { try #require(told.contains(change), "\(change)") }
      (leftOut, kept) = (leftOut + all.count - told.count, kept + slow.count)
    }
    #expect(leftOut > 1_000 && kept > 1_000)
  }

  @Test func whatStandsBehindAPeakIsToldBeforeALongQuiet() {
    let step = HapticPattern(
      AHAPDocument(
        events: [1.0, 0.2].map { intensity in
          AHAPEvent(
            .continuous, time: 0, duration: intensity == 1 ? 0.0005 : 10, parameters: [.intensity: intensity])
        }))
    let at = Self.zero + .milliseconds(150)
    let commands = [
      start(1, taps(1_950, every: 4), loops: false),
      .start(HapticPlayerID(rawValue: 2), step, source: "step", at: at, options: HapticPlayOptions()),
    ]
    let end = Self.zero + .seconds(1)
    let lines = told(commands, to: end, step: .seconds(10)).changes
    #expect(lines.suffix(2) == allChanges(commands, to: end).suffix(2))
  }

  @Test func whatWasFeltBeforeAPauseIsNotWrittenBehindIt() throws {
    var path = Array("/tmp/starlight-dense-XXXXXX".utf8CString)
    let device = try LogHapticDevice(fileDescriptor: mkstemp(&path), name: "log")
    let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer { unlink(name) }
    let rest = HapticPattern.continuous(intensity: 0.5, sharpness: 0, duration: .milliseconds(10))
    let at = Self.zero + .milliseconds(150)
    device.send([
      start(1, taps(1_950, every: 4), loops: false),
      .start(HapticPlayerID(rawValue: 2), rest, source: "rest", at: at, options: HapticPlayOptions()),
    ])
    // It is over in the middle of a millisecond of which one change is to be told.
    var clock = EngineClock()
    clock.hold(at: at + .microseconds(10_300))
    device.follow(clock)
    device.advance(to: clock.told(at + .microseconds(10_300)))
    clock.release(after: .milliseconds(5))
    device.follow(clock)
    device.advance(to: clock.told(at + .milliseconds(30)))
    device.stop()
    let instants = try instants(ofLog: name)
    #expect(instants == instants.sorted())
    #expect(instants.last == (at + .milliseconds(10)).microseconds, "nothing is felt behind the pause")
  }

  private func instants(ofLog name: String) throws -> [Int64] {
    let log = try #require(fopen(name, "r"))
    defer { fclose(log) }
    var (instants, line) = ([Int64](), [CChar](repeating: 0, count: 512))
    while fgets(&line, 512, log) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      instants.append(Int64(text.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? -1)
    }
    return instants
  }

  @Test func whatMovesAsTheEngineIsPausedIsNotWrittenForAnInstantOfBefore() throws {
    try search(upTo: 4) { random in
      var path = Array("/tmp/starlight-dense-XXXXXX".utf8CString)
      let device = try LogHapticDevice(fileDescriptor: mkstemp(&path), name: "log")
      let name = path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      defer { unlink(name) }
      let swell = HapticPattern(
        AHAPDocument(
          events: [AHAPEvent(.continuous, time: 0, duration: 1)],
          controls: [AHAPControl(.intensity, time: 0, points: [.init(time: 0, value: 0), .init(time: 1, value: 1)])]))
      device.send([
        start(1, taps(1_950, every: 4), loops: false),
        .start(HapticPlayerID(rawValue: 2), swell, source: "swell", at: Self.zero, options: HapticPlayOptions()),
      ])
      var clock = EngineClock()
      var pausedAt = Self.zero
      var now = Self.zero
      for _ in 0..<20 {
        pausedAt = pausedAt + .microseconds(Int64.random(in: 1...60_000, using: &random))
        clock.hold(at: pausedAt)
        device.follow(clock)
        now = clock.told(pausedAt)
        if Bool.random(using: &random) { device.advance(to: now) }
        let stood = Bool.random(using: &random) ? 0 : Int64.random(in: 1...20_000, using: &random)
        clock.release(after: .microseconds(stood))
        device.follow(clock)
        device.advance(to: now + .microseconds(stood))
      }
      device.stop()
      let instants = try instants(ofLog: name)
      try #require(instants == instants.sorted())
      try #require(instants.count > 40)
    }
  }

  @Test func whatIsSetForNowIsToldAtTheEndOfTheMillisecondThatIsGathered() {
    var stepper = HapticStepper()
    var lines: [HapticChange] = []
    stepper.apply([start(1, taps(1_950, every: 4))], at: Self.zero) { lines.append($0) }
    stepper.advance(to: Self.zero + .microseconds(30_400)) { lines.append($0) }
    let now = Self.zero + .microseconds(30_500)
    stepper.apply([.volume(0)], at: now) { lines.append($0) }
    let end = now + .milliseconds(1)
    stepper.advance(to: end + .milliseconds(1)) { lines.append($0) }
    #expect(lines.last?.level == .silence && lines.last.map { now < $0.instant && $0.instant <= end } ?? false)
    #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.instant <= $1.instant })
    #expect(stepper.nextDue.map { $0 > now } ?? true)
  }

  /// As settings come: the switch and the volume of one instant, before what begins at it.
  @Test(arguments: [false, true]) func whatBeginsAsTheSwitchIsTurnedOnIsFelt(isDense: Bool) {
    var stepper = HapticStepper()
    var lines: [HapticChange] = []
    if isDense { stepper.apply([start(1, taps(1_950, every: 4))], at: Self.zero) { lines.append($0) } }
    stepper.advance(to: Self.zero + .microseconds(30_400)) { lines.append($0) }
    stepper.apply([.enable(false, at: Self.zero + .microseconds(30_400))], at: Self.zero + .microseconds(30_400)) {
      lines.append($0)
    }
    let now = Self.zero + .microseconds(30_500)
    let rumble = HapticPattern.continuous(intensity: 1, sharpness: 0, duration: .seconds(1))
    let begins = HapticCommand.start(
      HapticPlayerID(rawValue: 2), rumble, source: "rumble", at: now, options: HapticPlayOptions())
    stepper.apply([.volume(0.5), .enable(true, at: now), begins], at: now) { lines.append($0) }
    stepper.advance(to: now + .milliseconds(3)) { lines.append($0) }
    #expect(lines.last?.source?.contains("rumble") ?? false, "\(lines.suffix(3))")
    if !isDense { #expect(lines.map(\.instant) == [now]) }
  }

  /// Of volumes and gains that are set without end, which name no instant and change what is felt each time.
  @Test func whatIsSetWithoutEndIsToldOnceAMillisecondAndTheLastOfItStands() {
    var stepper = HapticStepper()
    var lines: [HapticChange] = []
    let rumble = HapticPattern.continuous(intensity: 1, sharpness: 0.5, duration: .seconds(10))
    stepper.apply([start(1, rumble)], at: Self.zero) { lines.append($0) }
    stepper.advance(to: Self.zero + .milliseconds(1)) { lines.append($0) }
    let together = Self.zero + .milliseconds(2)
    stepper.apply((0..<3_000).map { .volume(Double($0 % 2)) }, at: together) { lines.append($0) }
    #expect(lines.count == 1)
    stepper.apply([.volume(0.5)], at: together) { lines.append($0) }
    #expect(lines.count == 2 && lines.last?.instant == together)
    var now = together
    for number in 0..<60_000 {
      now += .microseconds(50)
      stepper.apply(
        [number % 3 == 0 ? .gain(Double(number % 7 + 1) / 8) : .volume(Double(number % 5 + 1) / 8)], at: now
      ) {
        lines.append($0)
      }
    }
    stepper.apply([.volume(0.25), .gain(0.5)], at: now) { lines.append($0) }
    stepper.advance(to: now + .milliseconds(2)) { lines.append($0) }
    // A thousand one by one, and then two each millisecond at most, of three seconds.
    #expect(lines.count <= 1_000 + 2 * 3_000, "\(lines.count)")
    #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.instant <= $1.instant })
    #expect(lines.last?.level == HapticLevel(intensity: 0.125, sharpness: 0.5))
  }

  /// Of the same a pad's schedule looks at what has come once a millisecond, and not at each.
  @Test func ofWhatIsSetWithoutEndAPadsScheduleLooksOnceAMillisecondAndTheLastOfItStands() {
    var schedule = RumbleSchedule(motors: MotorProfile(floor: 0), timing: RumbleTiming(interval: .milliseconds(16)))
    var writes: [(at: Instant, action: RumbleAction)] = []
    let rumble = HapticPattern.continuous(intensity: 1, sharpness: 0, duration: .seconds(10))
    schedule.apply([start(1, rumble)], at: Self.zero) { writes.append(($0, $1)) }
    var now = Self.zero + .milliseconds(1)
    var waits = 0
    for number in 0..<60_000 {
      now += .microseconds(50)
      schedule.advance(to: now) { writes.append(($0, $1)) }
      schedule.apply([.volume(Double(number % 5 + 1) / 8)], at: now) { writes.append(($0, $1)) }
      // What was not looked at is due before the millisecond is over.
      if let due = schedule.nextDue, due > now, due < now + .milliseconds(1) { waits += 1 }
    }
    // A thousand were looked at as they came, and then one of twenty.
    #expect(waits >= 55_000, "\(waits)")
    schedule.apply([.volume(0.25)], at: now) { writes.append(($0, $1)) }
    schedule.advance(to: now + .milliseconds(40)) { writes.append(($0, $1)) }
    let uploads = writes.compactMap { if case .upload(let motors) = $0.action { motors.strong } else { nil } }
    #expect(uploads.last == 64.0 / 255)
    for (earlier, later) in zip(writes, writes.dropFirst()) where later.at != earlier.at {
      #expect(later.at - earlier.at >= .milliseconds(16))
    }
  }

  @Test func silenceIsTheLastWordAlsoInTheMiddleOfAMillisecond() {
    var stepper = HapticStepper()
    var lines: [HapticChange] = []
    stepper.apply([start(1, taps(1_950, every: 4))], at: Self.zero) { lines.append($0) }
    stepper.advance(to: Self.zero + .microseconds(30_400)) { lines.append($0) }
    stepper.silence(at: Self.zero + .microseconds(30_450)) { lines.append($0) }
    #expect(lines.last?.level == .silence)
    #expect(stepper.nextDue == nil)
  }

  /// Where a millisecond ends as it begins nothing is told of it, and what waited for its end comes all the same.
  @Test func whatWaitsForAMillisecondThatIsBrokenOffIsNotForgotten() throws {
    var stepper = HapticStepper()
    var lines: [HapticChange] = []
    stepper.apply([start(1, taps(1_950, every: 4))], at: Self.zero) { lines.append($0) }
    stepper.advance(to: Self.zero + .microseconds(30_400)) { lines.append($0) }
    // Where a millisecond is gathered up to there the next begins there.
    let now = try #require(stepper.nextDue)
    stepper.advance(to: now) { lines.append($0) }
    let begin = try #require(stepper.nextDue) - .milliseconds(1)
    stepper.apply([.volume(0.5)], at: now) { lines.append($0) }
    stepper.silence(at: begin) { lines.append($0) }
    let rumble = HapticPattern.continuous(intensity: 1, sharpness: 0, duration: .seconds(1))
    stepper.apply([start(40, rumble)], at: Self.zero + .milliseconds(31)) { lines.append($0) }
    stepper.advance(to: Self.zero + .milliseconds(40)) { lines.append($0) }
    #expect(lines.last?.level.intensity == 0.5, "\(lines.suffix(2))")
  }

  @Test func aPadIsLookedAtAThousandTimesASecondAndStillFeelsTheStrongest() {
    let commands = (1...6).map { start($0, taps(1_950, every: 4, seed: $0)) }
    var schedule = RumbleSchedule(motors: MotorProfile(), timing: RumbleTiming(interval: .milliseconds(16)))
    var writes: [(at: Instant, action: RumbleAction)] = []
    schedule.apply(commands, at: Self.zero - .milliseconds(1)) { writes.append(($0, $1)) }
    var wakes = 0
    let end = Self.zero + .milliseconds(300)
    while let due = schedule.nextDue, due <= end {
      schedule.advance(to: due) { writes.append(($0, $1)) }
      wakes += 1
    }
    #expect(wakes <= 1_000 + 2 * 300)
    // Six such patterns together are all that the motors have.
    let strongest = writes.compactMap { if case .upload(let motors) = $0.action { motors.strong } else { nil } }
    #expect(strongest.contains { $0 > 0.7 })
    for (earlier, later) in zip(writes, writes.dropFirst()) where later.at != earlier.at {
      #expect(later.at - earlier.at >= .milliseconds(16))
    }
  }
}
