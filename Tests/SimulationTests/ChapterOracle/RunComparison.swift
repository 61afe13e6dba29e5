// SPDX-License-Identifier: Apache-2.0

import ChapterOracle

@testable import Simulation

/// What was told of a run, held against what the oracle says of it.
struct RunComparison {
  let run: PlayedRun
  let oracle: ChapterOracle
  let chapter: RandomChapter

  func check() throws {
    try checkTold()
    try same(run.refused, oracle.refused.map { $0.replacing(/\ for \d+$/, with: "") }, "refused")
    try same(run.announced, oracle.announced, "announced")
    try same(run.moved, Array(oracle.moved.prefix(run.moved.count)), "moved")
    try same(run.goesOn, Array(oracle.goesOn.prefix(run.goesOn.count)), "goes on")
    if let tally = run.tally { try ensure(tally == oracle.tally, "\(tally), and \(oracle.tally) by the oracle") }
    try ensure(
      run.seen.count == oracle.seen.count, "looked \(run.seen.count) times, \(oracle.seen.count) by the oracle")
    for (seen, expected) in zip(run.seen, oracle.seen) { try check(seen, expected) }
  }

  private func same<Line: Equatable>(_ told: [Line], _ expected: [Line], _ what: String) throws {
    guard told != expected else { return }
    let at = zip(told, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(told.count, expected.count)
    throw SimulationFailure(
      """
      \(what), number \(at): \(told.dropFirst(at).prefix(3)) of \(told.count) were told, \
      \(expected.dropFirst(at).prefix(3)) of \(expected.count) by the oracle
      """)
  }

  /// Of taps and misses in their order, each told as soon as it is decided.
  private func checkTold() throws {
    var decided: [Int64] = []
    let expected = oracle.told.map { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      decided.append(Int64(parts[0]) ?? 0)
      return String(parts[1])
    }
    try same(run.told.map(\.line), expected, "told")
    for (told, at) in zip(run.told, decided) {
      let isTap = told.line.hasPrefix("ghost") || told.line.hasPrefix("hit")
      try ensure(at <= told.to && (isTap || at >= told.from), "\(told) is decided at \(at)")
    }
  }

  private func check(
    _ seen: (sight: Sight, instants: [Int64], resumed: Int), _ expected: Sight
  ) throws {
    if expected.isOver { return try ensure(seen.sight.isOver && seen.sight.tally == expected.tally, "\(seen)") }
    var expected = expected
    let zero = run.start + oracle.moved.prefix(seen.resumed).reduce(0, +)
    let instants = expected.inSight.map { zero + oracle.beats[$0] }
    let rate = Int64((chapter.rate * 1_000).rounded())
    expected.moment = chapter.position + nearest(expected.moment * rate, over: 1_000)
    try ensure(seen.sight == expected, "\(seen.sight) was to be seen, and \(expected) by the oracle")
    try ensure(seen.instants == instants, "\(seen.instants) were to be seen, and \(instants) by the oracle")
  }
}

extension ChapterGame {
  /// Each run, held against the oracle.
  func check() throws {
    for run in runs {
      var chapter = chapter
      chapter.start = run.start
      let last = run.cut ?? (run.told.last?.to ?? run.asked) + 1
      let ends = run.pauses.map(\.to).filter { $0 < .max }
      // From as far back, and as far ahead, as a tap may be stamped.
      let span = run.asked - 70_000...max(last, now, ends.max() ?? last) + 1_000
      var oracle = ChapterOracle(chapter: chapter, pauses: run.pauses, span: span)
      oracle.play(run.deliveries, until: last, looks: run.looks)
      do {
        try RunComparison(run: run, oracle: oracle, chapter: chapter).check()
      } catch {
        throw SimulationFailure("\(error)\n\(run)")
      }
    }
  }
}
