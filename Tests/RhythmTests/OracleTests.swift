// SPDX-License-Identifier: Apache-2.0

import ChapterOracle
import SeededNumbers
import Testing

@testable import Rhythm

/// Random small chapters, played by a run and by the oracle.
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
    var oracle = ChapterOracle(chapter: chapter, stalls: stalls, pauses: pauses, span: -1_000...2_400)
    oracle.play(deliveries)
    #expect(played.told == oracle.told)
    #expect(played.refused == oracle.refused, "refused")
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
  private(set) var refused: [String] = []
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
      case .tooLate(let beat?): refused.append("\(judgedAt) too late for \(beat)")
      case .paused where !run.session.isComplete: refused.append("\(judgedAt) in a pause")
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
      let tally = "\(judgement.tally.misses), combo \(judgement.tally.combo) of \(judgement.tally.hits)"
      return switch judgement.verdict {
      case .hit(let error):
        "\(judgement.declaredAt) hit \(judgement.index) at \(judgement.stampedAt) \(error) \(judgement.grade ?? -1), \(tally)"
      case .miss: "\(judgement.declaredAt) miss \(judgement.index) at \(judgement.stampedAt), \(tally)"
      case .void: "\(judgement.declaredAt) void \(judgement.index) at \(judgement.stampedAt), \(tally)"
      }
    case .ghost(let ghost): return "\(ghost.declaredAt) ghost \(ghost.stampedAt), \(ghost.tally.misses)"
    case .assist(let assist): return "\(assist.at) assist"
    case .complete(let summary, let at):
      return "\(at) complete \(summary.beats) \(summary.grades) \(summary.longestCombo)"
    }
  }
}

extension RandomChapter {
  /// The same as the daemon reads it.
  func course() throws -> Course {
    let map = try BeatMap(
      beats: beats.map { Rhythm.Beat(at: $0.at, lane: $0.lane) },
      lanes: isLaned ? (0..<laneCount).map(String.init) : [],
      length: length, minimumSpacing: 1)
    let rules = try RhythmRules(
      window: window, assist: .init(misses: misses, window: wide), grace: grace, spawnLead: spawnLead, length: length,
      futureTolerance: 2_000, grades: grades.enumerated().map { Grade(name: "\($0)", window: $1) })
    return Course(map: map, rules: rules, from: position, rate: try #require(SongRate(rate)))
  }
}
