// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import Rhythm

/// Random small chapters, played by a run and by an oracle that knows no cells, no deadlines and no stretches of time: it
/// visits every microsecond, asks which beat is nearest, and tries every instant to see whether a beat can still be hit.
@Suite struct OracleTests {
  @Test(arguments: 0..<300)
  func aRandomChapterIsJudgedAsTheOracleJudgesIt(seed: Int) throws {
    var generator = SeededRandom(seed: UInt64(seed))
    let chapter = RandomChapter(using: &generator)
    try play(chapter, chapter.deliveries(using: &generator), stalls: [], pauses: [])
  }

  @Test(arguments: 300..<900)
  func aRandomChapterWithStallsIsJudgedAsTheOracleJudgesIt(seed: Int) throws {
    var generator = SeededRandom(seed: UInt64(seed))
    let chapter = RandomChapter(using: &generator)
    let stalls = chapter.stalls(using: &generator)
    try play(chapter, chapter.deliveries(using: &generator).stalled(by: stalls), stalls: stalls, pauses: [])
  }

  /// Thirty chapters a seed.
  @Test(arguments: 0..<60)
  func randomChaptersWithPausesPlacesAndRatesAreJudgedAsTheOracleJudgesThem(seed: Int) throws {
    var generator = SeededRandom(seed: UInt64(seed) + 9_000)
    for _ in 0..<30 {
      let chapter = RandomChapter(using: &generator, isPlain: false)
      let pauses = chapter.pauses(using: &generator)
      // Nobody asks for a pause while nobody is listened to.
      let stalls = chapter.stalls(using: &generator).filter { stall in
        Bool.random(using: &generator)
          && !pauses.contains { stall.contains($0.from) || stall.contains($0.to) || stall.contains($0.asked) }
      }
      let deliveries = chapter.deliveries(using: &generator).unaware(of: pauses).stalled(by: stalls)
      try play(chapter, deliveries, stalls: stalls, pauses: pauses)
    }
  }

  private func play(
    _ chapter: RandomChapter, _ deliveries: [Delivery], stalls: [ClosedRange<Int64>], pauses: [Pause]
  ) throws {
    var played = PlayedRun(try chapter.course(), start: chapter.start, stalls: stalls, pauses: pauses)
    for delivery in deliveries { played.deliver(delivery) }
    played.end()
    var oracle = Oracle(chapter: chapter, stalls: stalls, pauses: pauses)
    #expect(played.told == oracle.play(deliveries))
    #expect(played.announced == oracle.announced, "announced")
    #expect(played.moved == oracle.moved, "moved")
  }
}

/// A run, told of taps, stalls and pauses in the order in which the daemon would.
private struct PlayedRun {
  private var run: RhythmRun
  private var stalls: ArraySlice<ClosedRange<Int64>>
  private var pauses: ArraySlice<Pause>
  private var isInPause = false
  private(set) var told: [String] = []
  /// What was handed out ahead and is not recalled, with its instant.
  private(set) var announced: [String] = []
  private var handedOut: [(at: Int64, line: String)] = []
  private(set) var moved: [Int64] = []

  init(_ course: Course, start: Int64, stalls: [ClosedRange<Int64>], pauses: [Pause]) {
    run = RhythmRun(course, start: start)
    self.stalls = stalls[...]
    self.pauses = pauses[...]
  }

  mutating func deliver(_ delivery: Delivery) {
    catchUp(before: delivery.now)
    if delivery.stall == nil, run.session.isCatchingUp { advance(to: delivery.now) }
    if delivery.stall == nil { announce(upTo: delivery.now) }
    let judgedAt = delivery.stall?.lowerBound ?? delivery.now
    do throws(TapError) {
      let now = delivery.stall?.upperBound ?? delivery.now
      told += try run.tap(at: delivery.stamp, lane: delivery.lane, now: now).actions.compactMap(line)
    } catch {
      if delivery.stall == nil { advance(to: delivery.now) }
      switch error {
      case .tooLate(let beat?): told.append("\(judgedAt) too late for \(beat)")
      case .paused where !run.session.isComplete: told.append("\(judgedAt) in a pause")
      default: break
      }
    }
  }

  mutating func end() {
    catchUp(before: .max)
    advance(to: .max)
    announce(upTo: .max)
    announced = handedOut.map { "\($0.at) \($0.line)" }
  }

  private mutating func advance(to instant: Int64) { told += run.advance(to: instant).compactMap(line) }

  /// Ahead of time, as the daemon does.
  private mutating func announce(upTo instant: Int64) {
    let ahead = instant > .max - 30 ? instant : instant + 30
    for announcement in run.announce(upTo: ahead, oldest: .min) {
      switch announcement {
      case .spawn(let moment): handedOut.append((moment.at, "spawn \(moment.index) for \(moment.beat.at)"))
      case .beat(let moment): handedOut.append((moment.at, "beat \(moment.index)"))
      }
    }
  }

  /// Stalls and pauses that come before `instant`.
  private mutating func catchUp(before instant: Int64) {
    while true {
      let stall = stalls.first?.lowerBound ?? .max
      let change = pauses.first.map { isInPause ? $0.to : $0.asked } ?? .max
      guard min(stall, change) < instant || change == instant, change < .max || stall < .max else { return }
      if stall <= change {
        let stall = stalls.removeFirst()
        advance(to: stall.lowerBound)
        run.stall(from: stall.lowerBound, to: stall.upperBound)
        // The next after it finds the song brought through it.
        if stall.upperBound < instant { advance(to: stall.upperBound) }
        continue
      }
      advance(to: change)
      announce(upTo: change)
      if isInPause {
        let pause = pauses.removeFirst()
        moved.append(run.resume(at: pause.to, countIn: pause.countIn))
      } else if let pause = pauses.first {
        run.pause(at: pause.from)
        handedOut.removeAll { $0.at >= pause.from }
      }
      isInPause.toggle()
    }
  }

  private func line(_ action: RhythmAction) -> String? {
    switch action {
    case .judgement(let judgement):
      let tally = "\(judgement.misses), combo \(judgement.tally.combo) of \(judgement.tally.hits)"
      return switch judgement.verdict {
      case .hit(let error):
        "\(judgement.declaredAt) hit \(judgement.index) at \(judgement.stampedAt) \(error) \(judgement.grade ?? -1), \(tally)"
      case .miss: "\(judgement.declaredAt) miss \(judgement.index) at \(judgement.stampedAt), \(tally)"
      case .void: "\(judgement.declaredAt) void \(judgement.index) at \(judgement.stampedAt), \(tally)"
      }
    case .ghost(let ghost): return "\(ghost.declaredAt) ghost \(ghost.stampedAt), \(ghost.misses)"
    case .assist(let assist): return "\(assist.at) assist"
    case .complete(let summary, let at):
      return "\(at) complete \(summary.beats) \(summary.grades) \(summary.longestCombo)"
    }
  }
}

struct Delivery {
  var stamp: Int64
  var lane: Int?
  var now: Int64
  /// The stall during which it came.
  var stall: ClosedRange<Int64>?
}

extension [Delivery] {
  /// Nobody stamps ahead into what is not asked for yet.
  func unaware(of pauses: [Pause]) -> [Delivery] {
    map { delivery in
      let tells = pauses.contains {
        delivery.now < $0.asked && $0.from <= delivery.stamp || delivery.now < $0.to && $0.to <= delivery.stamp
      }
      return tells ? Delivery(stamp: delivery.now, lane: delivery.lane, now: delivery.now) : delivery
    }
  }

  /// What comes in during a stall is read at its end.
  func stalled(by stalls: [ClosedRange<Int64>]) -> [Delivery] {
    map { delivery in
      var delivery = delivery
      delivery.stall = stalls.first { $0.lowerBound < delivery.now && delivery.now <= $0.upperBound }
      return delivery
    }
  }
}

/// A run that stands still from `from` on and goes on at `to`, some way back; asked for a little ahead.
struct Pause {
  var asked: Int64
  var from: Int64
  var to: Int64
  var countIn: Int64
}

struct RandomChapter {
  /// In song time.
  var beats: [Beat] = []
  var laned: Bool
  var laneCount: Int
  var window: Int64
  var wide: Int64
  var grace: Int64
  var misses: Int
  var length: Int64
  var grades: [Int64] = []
  var position: Int64 = 0
  var rate = 1.0
  var start: Int64 = 0
  let spawnLead: Int64 = 40

  /// From its start, at its own speed and without grades where it `isPlain`.
  init(using generator: inout SeededRandom, isPlain: Bool = true) {
    laned = Bool.random(using: &generator)
    laneCount = laned ? Int.random(in: 1...3, using: &generator) : 1
    window = .random(in: 1...20, using: &generator)
    wide = window + .random(in: 0...20, using: &generator)
    grace = .random(in: 1...30, using: &generator)
    misses = .random(in: 1...3, using: &generator)
    var at = Int64.random(in: 0...30, using: &generator)
    for _ in 0..<Int.random(in: 1...14, using: &generator) {
      beats.append(Beat(at: at, lane: laned ? Int.random(in: 0..<laneCount, using: &generator) : nil))
      // Two beats stay two at any rate.
      at += .random(in: (isPlain ? 1 : 2)...50, using: &generator)
    }
    length = beats[beats.count - 1].at + .random(in: 0...80, using: &generator)
    // A map declares every lane up to the highest its beats use.
    if laned { laneCount = (beats.compactMap(\.lane).max() ?? 0) + 1 }
    if isPlain { return }
    if Bool.random(using: &generator) { position = .random(in: 0...max(0, length - 1), using: &generator) }
    if Bool.random(using: &generator) { rate = Double(Int.random(in: 500...1500, using: &generator)) / 1000 }
    start = .random(in: 0...100, using: &generator)
    var edge: Int64 = 0
    for _ in 0..<Int.random(in: 0...3, using: &generator) where edge < window {
      edge += .random(in: 1...(window - edge), using: &generator)
      grades.append(edge)
    }
  }

  func course() throws -> Course {
    let map = try BeatMap(
      beats: beats, lanes: laned ? (0..<laneCount).map(String.init) : [], length: length, minimumSpacing: 1)
    let rules = try RhythmRules(
      window: window, assist: .init(misses: misses, window: wide), grace: grace, spawnLead: spawnLead, length: length,
      futureTolerance: 2_000, grades: grades.enumerated().map { Grade(name: "\($0)", window: $1) })
    return Course(map: map, rules: rules, from: position, rate: try #require(SongRate(rate)))
  }

  /// Two at most, apart.
  func stalls(using generator: inout SeededRandom) -> [ClosedRange<Int64>] {
    let first = Int64.random(in: -40...length, using: &generator)
    let firstEnd = first + .random(in: 1...150, using: &generator)
    let second = firstEnd + .random(in: 1...60, using: &generator)
    let both = [first...firstEnd, second...(second + .random(in: 1...90, using: &generator))]
    return Array(both.prefix(Int.random(in: 1...2, using: &generator)))
  }

  /// Some in the song's time, some of them in the count-in of another.
  func pauses(using generator: inout SeededRandom) -> [Pause] {
    var pauses: [Pause] = []
    var at = start - 30
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let asked = at + .random(in: 1...120, using: &generator)
      let from = asked + .random(in: 1...10, using: &generator)
      let to = from + .random(in: 0...150, using: &generator)
      pauses.append(
        Pause(
          asked: asked, from: from, to: to,
          countIn: Bool.random(using: &generator) ? 0 : .random(in: 0...60, using: &generator)))
      at = to
    }
    return pauses
  }

  /// Taps delivered in order of time: some stamped a little ahead, most a little back, some far back.
  func deliveries(using generator: inout SeededRandom) -> [Delivery] {
    var deliveries: [Delivery] = []
    var now: Int64 = -50
    while now < length + 100 {
      now += .random(in: 0...12, using: &generator)
      let delay = Int64.random(in: 0...3, using: &generator) == 0 ? Int64(60) : 12
      deliveries.append(
        Delivery(
          stamp: now - .random(in: -8...delay, using: &generator),
          lane: laned ? Int.random(in: 0..<laneCount, using: &generator) : nil, now: now))
      // Stretches without taps, so that there are misses.
      if Int.random(in: 0...5, using: &generator) == 0 { now += .random(in: 20...90, using: &generator) }
    }
    return deliveries
  }
}
