// SPDX-License-Identifier: Apache-2.0

import ChapterOracle
import SeededNumbers

@testable import Rhythm

/// What clients send.
enum LateLine {
  case tap(Delivery)
  /// The run is to stand still, or to go on so far before where it stands.
  case hold(now: Int64)
  case goOn(now: Int64, countIn: Int64)

  /// When it comes.
  var now: Int64 {
    switch self {
    case .tap(let tap): tap.now
    case .hold(let now), .goOn(let now, _): now
    }
  }

  /// Some holds, each let go of: of two the one at once.
  static func holds(until last: Int64, using random: inout SeededRandom) -> [LateLine] {
    var lines: [LateLine] = []
    var now = random.integer(-20...80)
    while lines.count < 6, now < last {
      lines.append(.hold(now: now))
      if random.oneIn(2) { now += random.integer(1...100) }
      lines.append(.goOn(now: now, countIn: random.oneIn(2) ? 0 : random.integer(1...60)))
      now += random.integer(1...150)
    }
    return lines
  }
}

/// A line as it was served: a tap when it came, all else when control came to it.
enum ServedLine {
  case tap(Delivery)
  case hold(now: Int64, at: Int64)
  case goOn(now: Int64, at: Int64, countIn: Int64)

  var now: Int64 {
    switch self {
    case .tap(let tap): tap.now
    case .hold(let now, _), .goOn(let now, _, _): now
    }
  }
}

/// A run by a control that is late: it looks for what has come, then stands still for a while, and then serves what it saw.
struct LateRun {
  var run: RhythmRun
  private(set) var told: [RhythmAction] = []
  /// Stamps of taps that were refused.
  private(set) var refused: [Int64] = []
  private(set) var served: [ServedLine] = []

  init(_ course: Course, start: Int64) { run = RhythmRun(course, start: start) }

  mutating func serve(_ lines: [LateLine], using random: inout SeededRandom) throws {
    var (heard, now) = (-100, -100) as (Int64, Int64)
    var waiting = lines[...]
    while !waiting.isEmpty {
      let looked = now + random.integer(0...60)
      now = looked + (random.oneIn(2) ? 0 : random.integer(0...120))
      while let line = waiting.first, line.now <= looked {
        waiting.removeFirst()
        try serve(line, at: now, heard: heard, using: &random)
      }
      heard = looked
      try settle(heard)
    }
    try settle(.max)
  }

  /// What is settled next is known: else nobody would be heard for it.
  private mutating func settle(_ heard: Int64) throws {
    let due = run.nextDeadline
    let settled = run.advance(to: heard)
    told += settled
    let first = due.flatMap { $0 <= heard ? $0 : nil }
    try hold(settled.first?.at == first, "at \(heard) \(settled) were settled, and expected at \(due ?? -1)")
  }

  private mutating func serve(
    _ line: LateLine, at now: Int64, heard: Int64, using random: inout SeededRandom
  ) throws {
    // What comes behind the end finds no run.
    if let end = run.end, line.now >= end { return }
    switch line {
    case .tap(let tap):
      served.append(.tap(tap))
      do {
        told += try run.tap(at: tap.stamp, lane: tap.lane, now: now, heard: heard).actions
      } catch TapError.paused { refused.append(tap.stamp) }
    case .hold:
      try settle(heard)
      let at = max(now + random.integer(1...10), run.clock.changed)
      guard let end = run.end, at < end else { return }
      run.pause(at: at)
      served.append(.hold(now: now, at: at))
    case .goOn(_, let countIn):
      try settle(heard)
      guard let paused = run.clock.pausedFrom else { return }
      let at = max(now + random.integer(1...10), paused)
      run.resume(at: at, countIn: countIn)
      served.append(.goOn(now: now, at: at, countIn: countIn))
    }
  }
}

/// The same by a control that settles and serves all when it comes.
struct PromptRun {
  private(set) var run: RhythmRun
  private(set) var told: [RhythmAction] = []
  private(set) var refused: [Int64] = []

  init(_ course: Course, start: Int64, _ lines: [ServedLine]) throws {
    run = RhythmRun(course, start: start)
    // Of one instant taps came first: they were there when all else was served.
    for line in lines.filter(\.isTap).merged(with: lines.filter { !$0.isTap }) {
      switch line {
      case .tap(let tap):
        do {
          told += try run.tap(at: tap.stamp, lane: tap.lane, now: tap.now).actions
        } catch TapError.paused { refused.append(tap.stamp) }
      case .hold(let now, let at):
        told += run.advance(to: now)
        run.pause(at: at)
      case .goOn(let now, let at, let countIn):
        told += run.advance(to: now)
        run.resume(at: at, countIn: countIn)
      }
    }
    told += run.advance(to: .max)
  }
}

extension ServedLine {
  fileprivate var isTap: Bool { if case .tap = self { true } else { false } }
}

extension [ServedLine] {
  /// Both in the order of time, these first.
  fileprivate func merged(with others: [ServedLine]) -> [ServedLine] {
    var (merged, others) = ([ServedLine](), others[...])
    for line in self {
      while let other = others.first, other.now < line.now { merged.append(others.removeFirst()) }
      merged.append(line)
    }
    return merged + others
  }
}
