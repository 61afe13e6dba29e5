// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import Rhythm

/// Random small chapters, played by the session and by an oracle that knows no cells and no deadlines: it visits every
/// microsecond, asks which beat is nearest, and tries every instant to see whether a beat can still be hit.
@Suite struct OracleTests {
  @Test(arguments: 0..<300)
  func aRandomChapterIsJudgedAsTheOracleJudgesIt(seed: Int) throws {
    var generator = SeededRandom(seed: UInt64(seed))
    let chapter = Chapter(using: &generator)
    try play(chapter, chapter.deliveries(using: &generator), stalls: [])
  }

  @Test(arguments: 300..<900)
  func aRandomChapterWithStallsIsJudgedAsTheOracleJudgesIt(seed: Int) throws {
    var generator = SeededRandom(seed: UInt64(seed))
    let chapter = Chapter(using: &generator)
    let stalls = chapter.stalls(using: &generator)
    // What comes in during a stall is read at its end.
    let deliveries = chapter.deliveries(using: &generator).map { delivery in
      var delivery = delivery
      delivery.stall = stalls.first { $0.lowerBound < delivery.now && delivery.now <= $0.upperBound }
      return delivery
    }
    try play(chapter, deliveries, stalls: stalls)
  }

  private func play(_ chapter: Chapter, _ deliveries: [Delivery], stalls: [ClosedRange<Int64>]) throws {
    var session = try makeSession(
      chapter.beats.map(\.at), lanes: chapter.laned ? chapter.beats.map { $0.lane ?? 0 } : nil,
      window: chapter.window, assist: .init(misses: chapter.misses, window: chapter.wide), grace: chapter.grace,
      spawnLead: 40, length: chapter.length)
    var told: [String] = []
    var coming = stalls[...]
    func stall(before instant: Int64) {
      while let stall = coming.first, stall.lowerBound < instant {
        coming.removeFirst()
        told += session.advance(to: stall.lowerBound).compactMap(line)
        session.stall(from: stall.lowerBound, to: stall.upperBound)
        // The next after it finds the song brought through it.
        if stall.upperBound < instant { told += session.advance(to: stall.upperBound).compactMap(line) }
      }
    }
    for delivery in deliveries {
      stall(before: delivery.now)
      if delivery.stall == nil, session.isCatchingUp { told += session.advance(to: delivery.now).compactMap(line) }
      let judgedAt = delivery.stall?.lowerBound ?? delivery.now
      do throws(TapError) {
        let now = delivery.stall?.upperBound ?? delivery.now
        told += try session.tap(at: delivery.stamp, lane: delivery.lane, now: now).actions.compactMap(line)
      } catch {
        if delivery.stall == nil { told += session.advance(to: delivery.now).compactMap(line) }
        if case .tooLate(let beat?) = error { told.append("\(judgedAt) too late for \(beat)") }
      }
    }
    stall(before: .max)
    told += session.advance(to: .max).compactMap(line)

    var oracle = Oracle(chapter: chapter, stalls: stalls)
    #expect(told == oracle.play(deliveries))
  }

  private func line(_ action: RhythmAction) -> String? {
    switch action {
    case .judgement(let judgement):
      switch judgement.verdict {
      case .hit(let error): "\(judgement.declaredAt) hit \(judgement.index) \(error)"
      case .miss: "\(judgement.declaredAt) miss \(judgement.index) at \(judgement.stampedAt), \(judgement.misses)"
      case .void: "\(judgement.declaredAt) void \(judgement.index) at \(judgement.stampedAt), \(judgement.misses)"
      }
    case .ghost(let ghost): "\(ghost.declaredAt) ghost \(ghost.stampedAt), \(ghost.misses)"
    case .assist(let assist): "\(assist.at) assist"
    case .complete(_, let at): "\(at) complete"
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

struct Chapter {
  var beats: [Beat] = []
  var laned: Bool
  var laneCount: Int
  var window: Int64
  var wide: Int64
  var grace: Int64
  var misses: Int
  var length: Int64

  init(using generator: inout SeededRandom) {
    laned = Bool.random(using: &generator)
    laneCount = laned ? Int.random(in: 1...3, using: &generator) : 1
    window = .random(in: 1...20, using: &generator)
    wide = window + .random(in: 0...20, using: &generator)
    grace = .random(in: 1...30, using: &generator)
    misses = .random(in: 1...3, using: &generator)
    var at = Int64.random(in: 0...30, using: &generator)
    for _ in 0..<Int.random(in: 1...14, using: &generator) {
      beats.append(Beat(at: at, lane: laned ? Int.random(in: 0..<laneCount, using: &generator) : nil))
      at += .random(in: 1...50, using: &generator)
    }
    length = beats[beats.count - 1].at + .random(in: 0...80, using: &generator)
    // A map declares every lane up to the highest its beats use.
    if laned { laneCount = (beats.compactMap(\.lane).max() ?? 0) + 1 }
  }

  /// Two at most, apart.
  func stalls(using generator: inout SeededRandom) -> [ClosedRange<Int64>] {
    let first = Int64.random(in: -40...length, using: &generator)
    let firstEnd = first + .random(in: 1...150, using: &generator)
    let second = firstEnd + .random(in: 1...60, using: &generator)
    let both = [first...firstEnd, second...(second + .random(in: 1...90, using: &generator))]
    return Array(both.prefix(Int.random(in: 1...2, using: &generator)))
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

private struct Oracle {
  let chapter: Chapter
  let stalls: [ClosedRange<Int64>]
  var hit: Set<Int> = []
  var missed: Set<Int> = []
  var voided: Set<Int> = []
  var assistedFrom: Int64?
  var waiting: [Delivery] = []
  var told: [String] = []
  var over = false
  /// For each beat, the last instant that belongs to it.
  var lastInstants: [Int64] = []

  init(chapter: Chapter, stalls: [ClosedRange<Int64>]) {
    self.chapter = chapter
    self.stalls = stalls
    findLastInstants()
  }

  /// The nearest beat of the lane, the earlier of two equally near, if the instant is in its window.
  func owner(_ instant: Int64, _ lane: Int?) -> Int? {
    let near = chapter.beats.indices.filter { chapter.beats[$0].lane == lane }
      .min { abs(chapter.beats[$0].at - instant) < abs(chapter.beats[$1].at - instant) }
    guard let near else { return nil }
    let opens = chapter.beats[near].at - chapter.window
    var reach = chapter.window
    if let assistedFrom, opens > assistedFrom {
      if instant < assistedFrom { return nil }
      reach = chapter.wide
    }
    return abs(chapter.beats[near].at - instant) <= reach ? near : nil
  }

  /// Finds them by trying every instant.
  mutating func findLastInstants() {
    lastInstants = chapter.beats.indices.map { beat in
      let at = chapter.beats[beat].at
      return (at...(at + chapter.wide)).last { owner($0, chapter.beats[beat].lane) == beat } ?? at
    }
  }

  mutating func play(_ deliveries: [Delivery]) -> [String] {
    var coming = deliveries[...]
    var instant: Int64 = -100
    while !over || !coming.isEmpty {
      visit(instant)
      while let tap = coming.first, (tap.stall?.lowerBound ?? tap.now) == instant {
        coming.removeFirst()
        if !over { take(tap, at: instant) }
      }
      instant += 1
    }
    return told
  }

  mutating func visit(_ instant: Int64) {
    if over { return }
    for beat in chapter.beats.indices
    where !hit.contains(beat) && !missed.contains(beat) && !voided.contains(beat)
      && lastInstants[beat] + chapter.grace == instant
    {
      if nobodyListened(to: beat) {
        voided.insert(beat)
        told.append("\(instant) void \(beat) at \(instant - chapter.grace), \(missed.count)")
        continue
      }
      missed.insert(beat)
      told.append("\(instant) miss \(beat) at \(instant - chapter.grace), \(missed.count)")
      if missed.count == chapter.misses {
        assistedFrom = instant
        findLastInstants()
        told.append("\(instant) assist")
      }
    }
    for tap in waiting where tap.stamp == instant { decide(tap, at: instant) }
    let end = lastInstants.max() ?? 0
    if instant >= max(chapter.length, end + chapter.grace) {
      for tap in waiting.filter({ $0.stamp > instant }).sorted(by: { $0.stamp < $1.stamp }) {
        told.append("\(instant) ghost \(tap.stamp), \(missed.count)")
      }
      over = true
      told.append("\(instant) complete")
    }
  }

  /// Whether every instant of the beat lies in one stall.
  func nobodyListened(to beat: Int) -> Bool {
    let at = chapter.beats[beat].at
    let own = (at - chapter.wide...at + chapter.wide).filter { owner($0, chapter.beats[beat].lane) == beat }
    return stalls.contains { stall in own.allSatisfy(stall.contains) }
  }

  mutating func take(_ tap: Delivery, at instant: Int64) {
    if tap.stall != nil, tap.stamp > instant {
      waiting.append(tap)
      return
    }
    let beat = owner(tap.stamp, tap.lane)
    if let beat, lastInstants[beat] + chapter.grace <= instant {
      told.append("\(instant) too late for \(beat)")
    } else if beat == nil, tap.stamp > instant, assistedFrom == nil {
      waiting.append(tap)
    } else {
      decide(tap, at: instant)
    }
  }

  mutating func decide(_ tap: Delivery, at instant: Int64) {
    if let beat = owner(tap.stamp, tap.lane), !hit.contains(beat) {
      hit.insert(beat)
      told.append("\(instant) hit \(beat) \(tap.stamp - chapter.beats[beat].at)")
    } else {
      told.append("\(instant) ghost \(tap.stamp), \(missed.count)")
    }
  }
}
