// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Haptics
import Problems
import SeededNumbers
import Testing
import Timing

@testable import HapticOutput

// Of <fcntl.h>, for which Swift has no names.
private let (setPipeSize, getPipeSize) = (Int32(1_031), Int32(1_032))

/// A device that takes nothing for long joins in anew with what plays then, and what waits for it stays bounded.
@Suite struct RejoiningTests {
  private func ms(_ value: Int64) -> Instant { .zero + .milliseconds(value) }

  private func start(_ number: UInt64, at: Instant, _ pattern: HapticPattern) -> HapticCommand {
    .start(HapticPlayerID(rawValue: number), pattern, source: "p\(number)", at: at, options: HapticPlayOptions())
  }

  private let rumble = HapticPattern.continuous(intensity: 0.5, sharpness: 0, duration: .seconds(10))

  @Test func whatWaitsIsLeftOutOnlyWhereItIsMuchAndWaitsForLong() {
    var mailbox = HapticMailbox()
    mailbox.put(Array(repeating: .volume(1), count: 4_096))
    #expect(overfull(&mailbox, at: [0, 10_000]) == [false, false])
    mailbox.put([.volume(1)])
    #expect(overfull(&mailbox, at: [20_000, 20_249, 20_250]) == [false, false, true])
    let mail = mailbox.take()
    #expect(mail.commands.count == 4_097)
    mailbox.put(Array(repeating: .volume(1), count: 5_000))
    // It has taken something meanwhile.
    #expect(overfull(&mailbox, at: [20_300, 20_549, 20_550]) == [false, false, true])
  }

  @Test func aPatternCountsByAllThatItHoldsOnTo() {
    let taps = HapticPattern(
      AHAPDocument(
        events: (0..<1_000).map {
          AHAPEvent(
            .transient, time: Double($0) / 100, parameters: [.intensity: 0.1 + Double($0 % 7) / 10, .sharpness: 0])
        }))
    var mailbox = HapticMailbox()
    mailbox.put((0..<100).map { start($0, at: ms(0), taps) })
    #expect(overfull(&mailbox, at: [0, 250]) == [false, true])
  }

  @Test func whatIsLeftOutIsCountedUntilItIsTaken() {
    var mailbox = HapticMailbox()
    mailbox.put([.volume(1), .volume(0.5)])
    mailbox.rejoin(HapticMixer(now: ms(1)))
    mailbox.put([.gain(1)])
    mailbox.rejoin(HapticMixer(now: ms(2)))
    mailbox.put([.gain(0.5), .gain(0.25)])
    #expect(mailbox.isLeavingOut)
    let (mail, after) = (mailbox.take(), mailbox.take())
    #expect(mail.left == 3 && mail.playing?.now == ms(2) && mail.commands.count == 2)
    #expect(!mailbox.isLeavingOut && after.left == 0 && after.playing == nil && after.commands.isEmpty)
  }

  @Test func aRunThatIsDoneAgainLeavesOutTheSame() {
    var mailbox = HapticMailbox()
    mailbox.put(Array(repeating: .volume(1), count: 5))
    mailbox.note(rejoining: HapticMixer(now: ms(1)))
    mailbox.put([.gain(1)])
    mailbox.note(rejoining: HapticMixer(now: ms(2)))
    mailbox.put([.gain(0.5)])
    // Two were taken before, behind which come the three that were left out.
    let before = mailbox.take(2, behind: 0)
    #expect(before?.commands.count == 2)
    for (count, left) in [(4, 0), (0, 2), (1, 5), (2, 4), (-1, 0), (0, -1)] {
      var other = mailbox
      let mail = other.take(count, behind: left)
      #expect(mail == nil, "\(count) behind \(left)")
    }
    let (mail, after) = (mailbox.take(1, behind: 4), mailbox.take(1, behind: 0))
    #expect(mail?.playing?.now == ms(2) && mail?.commands.count == 1 && after == nil)
  }

  /// Whether it is at one instant after the other, in milliseconds.
  private func overfull(_ mailbox: inout HapticMailbox, at instants: [Int64]) -> [Bool] {
    instants.map { mailbox.isOverfull(at: ms($0)) }
  }

  /// Real descriptors and a real thread: a pipe that nobody empties holds the log's thread for as long as that lasts.
  @Test func aLogWhoseDiskHangsTellsItAndGoesOnWhereItIsByThen() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let filler = [UInt8](repeating: 32, count: Int(fcntl(ends[1], getPipeSize)))
    #expect(write(ends[1], filler, filler.count) == filler.count)
    let device = try LogHapticDevice(fileDescriptor: ends[1], name: "pipe")
    device.start()
    let now = Instant(nanoseconds: rt_now_ns())
    device.send([start(1, at: now, rumble)])
    // Until the thread has taken it in, and hangs in its first line.
    let trace = try #require(device.trace)
    var isWriting = false
    while !isWriting { trace.ring.drain { _ in isWriting = true } }
    device.send(Array(repeating: .volume(1), count: 5_000))
    #expect(!device.isOverfull(at: ms(1_000)) && device.isOverfull(at: ms(1_250)))
    #expect(device.failure == nil)
    device.rejoin(HapticMixer(now: now))
    #expect(device.failure?.reason == "haptic log pipe: its disk does not answer, and changes are left out")
    #expect(!device.isOverfull(at: ms(9_000)))
    var text = ""
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while text.split(separator: "\n").count < 2 || !text.hasSuffix("\n") {
      let count = read(ends[0], &chunk, chunk.count)
      try #require(count > 0)
      text += String(decoding: chunk[..<count], as: UTF8.self)
    }
    #expect(text.hasSuffix("\"intensity\":0,\"sharpness\":0,\"source\":null}\n"), "what plays by then is nothing")
    device.stop()
    #expect(
      device.failure?.reason == "haptic log pipe: changes are missing in it: its disk did not answer for a while")
  }

  /// Two logs are told the same by chance, with pauses of the engine; one takes nothing for spans of time, and what waits is left
  /// out. From where it joins in anew both say the same, and a log that does its steps again writes what it wrote.
  @Test func fromWhereALogJoinsInAnewItIsAsOneThatMissedNothing() throws {
    var rejoined = 0
    try search(upTo: 40) { random in
      var run = try HangingRun()
      for _ in 0..<random.integer(10...40) {
        run.now += .microseconds(random.integer(1...300_000))
        run.turn(&random)
      }
      rejoined += run.gaps.count
      try run.end()
    }
    #expect(rejoined > 40)
  }
}

/// A log that takes nothing now and then, one that always does, and one that repeats what the first did.
private struct HangingRun {
  var now = Instant.zero + .seconds(1)
  /// From where it took nothing to when it was told to join in anew, and where that was, on the clock.
  var gaps: [(from: Instant, to: Instant, joined: Instant)] = []
  private let hanging: Log
  private let whole: Log
  private let again: LogHapticDevice
  private let steps = FeltSteps()
  private let stepsAgain = FeltSteps()
  /// What has come of all commands.
  private var mixer = HapticMixer()
  private var clock = EngineClock()
  private var clocks = [0: EngineClock()]
  private var tookAt = Instant.zero
  private var isHanging = false
  /// Whether something waits for the one that takes nothing.
  private var isToldMore = false
  private var next: UInt64 = 1

  init() throws {
    hanging = try Log(steps)
    whole = try Log(nil)
    again = try .repeating(steps: stepsAgain)
  }

  mutating func turn(_ random: inout SeededRandom) {
    if random.oneIn(6) {
      if let hold = clock.lasting {
        if now > hold.stoppedAt { clock.release(after: now - hold.stoppedAt + .milliseconds(5)) }
      } else if clock.begun(by: now)?.resumedAt.map({ $0 <= now }) ?? true {
        clock.hold(at: clock.now(at: now) + .milliseconds(5))
      }
      clocks[FeltStep.number(of: clock)] = clock
      hanging.device.follow(clock)
      whole.device.follow(clock)
    }
    let time = clock.now(at: now)
    _ = mixer.advance(to: time)
    send((0..<random.integer(0...3)).map { _ in HapticCommand.random(at: time, next: &next, &random) })
    whole.device.advance(to: now)
    if isHanging {
      if isToldMore, random.oneIn(3) {
        hanging.device.rejoin(mixer)
        again.repeatRejoin(mixer)
        gaps.append((tookAt, now, clock.told(mixer.now)))
        isToldMore = false
      }
      if random.oneIn(2) { isHanging = false }
    }
    if !isHanging {
      hanging.device.advance(to: now)
      (tookAt, isToldMore) = (now, false)
      isHanging = random.oneIn(3)
    }
  }

  /// Everything is held against everything.
  mutating func end() throws {
    now += .seconds(40)
    if clock.lasting != nil {
      clock.release(after: .seconds(1))
      clocks[FeltStep.number(of: clock)] = clock
      hanging.device.follow(clock)
      whole.device.follow(clock)
    }
    for log in [hanging, whole] {
      log.device.advance(to: now)
      log.device.stop()
    }
    let (told, all) = (hanging.lines(), whole.lines())
    let gaps = gaps
    let outside = { (line: Line) in !gaps.contains { $0.from < line.at && line.at <= $0.to } }
    for line in told {
      try #require(line.at >= .zero)
      if !outside(line) { continue }
      try #require(Line.level(at: line.at, in: all) == Line.level(at: line.at, in: told), "\(line), \(gaps)")
    }
    // As of where it joins in anew, and of any instant behind that, whether something changes there or not.
    for at in gaps.flatMap({ gap in (0..<8).map { gap.to + .milliseconds($0 * $0 * 20) } }) {
      guard at <= now, !gaps.contains(where: { $0.from < at && at < $0.to }) else { continue }
      try #require(Line.level(at: at, in: told) == Line.level(at: at, in: all), "\(at), \(gaps)")
    }
    for line in all where outside(line) {
      try #require(Line.level(at: line.at, in: told) == Line.level(at: line.at, in: all), "\(line), \(gaps)")
    }
    // Of what it knows nothing of it tells nothing, but that the engine stands.
    let isMissing = { (at: Instant) in gaps.contains { $0.from < at && at.microseconds < $0.joined.microseconds } }
    for line in told where isMissing(line.at) {
      try #require(line.level == Line.silence, "\(line), \(gaps)")
    }
    for (line, later) in zip(told, told.dropFirst()) { try #require(line.at <= later.at) }
    for step in steps.take() {
      try #require(again.repeatStep(step, clock: step.clock.flatMap { clocks[$0] }))
      try #require(stepsAgain.take().map(\.written).joined() == step.written)
    }
    #expect(again.failure == nil)
  }

  private mutating func send(_ commands: [HapticCommand]) {
    if commands.isEmpty { return }
    for command in commands { mixer.apply(command) }
    isToldMore = true
    hanging.device.send(commands)
    whole.device.send(commands)
    again.send(commands)
  }
}

extension HapticCommand {
  /// Something that is asked for after `time`, of one of the players up to `next`, or of a new one.
  static func random(at time: Instant, next: inout UInt64, _ random: inout SeededRandom) -> HapticCommand {
    let at = time + .microseconds(random.integer(1...400_000))
    let id = HapticPlayerID(rawValue: random.next() % next + 1)
    switch random.integer(0...7) {
    case 0...2:
      next += 1
      let pattern = HapticPattern.continuous(
        intensity: Double(random.integer(1...10)) / 20, sharpness: 0.5,
        duration: .microseconds(random.integer(1...2_000_000)))
      return .start(
        HapticPlayerID(rawValue: next), pattern, source: "p", at: at,
        options: HapticPlayOptions(loops: random.oneIn(4)))
    case 3: return .stop(id, at: at)
    case 4: return .pause(id, at: at)
    case 5: return .resume(id, at: at)
    case 6: return .set(id, .gain(Double(random.integer(0...4)) / 4), at: at)
    default: return .enable(random.oneIn(2), at: at)
    }
  }
}

/// One line, as it is compared.
private struct Line: Equatable {
  var at: Instant
  var level: String

  static let silence = #""intensity":0,"sharpness":0"#

  /// What is felt at the end of the microsecond of `instant`, by lines in order.
  static func level(at instant: Instant, in lines: [Line]) -> String {
    lines.last { $0.at <= instant }?.level ?? silence
  }
}

/// A log, and the pipe that it writes into.
private struct Log {
  let device: LogHapticDevice
  private let output: Int32

  init(_ steps: FeltSteps?) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    try #require(fcntl(ends[1], setPipeSize, 1 << 20) >= 0)
    output = ends[0]
    device = try LogHapticDevice(fileDescriptor: ends[1], name: "pipe", steps: steps)
  }

  /// All that was written, once it is stopped.
  func lines() -> [Line] {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(output, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
    close(output)
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
      let fields = line.dropFirst(#"{"tUs":"#.count).split(separator: ",", maxSplits: 3)
      return Line(at: Instant(microseconds: Int64(fields[0]) ?? -1), level: fields[1...2].joined(separator: ","))
    }
  }
}
