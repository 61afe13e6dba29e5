// SPDX-License-Identifier: Apache-2.0

import ChapterOracle
import Wire

@testable import Simulation

/// What is told of a run with its instants on the clock, before a front end makes anything of pauses: where its end and its beats
/// are to come they lie as far behind its beginning as ever, however often the engine stood in between.
struct RunSpan {
  private let beats: [Int64]
  private let end: Int64

  init(_ chapter: RandomChapter) {
    let model = ChapterOracle(chapter: chapter, pauses: [], span: 0...0)
    (beats, end) = (model.beats, model.end)
  }

  /// Of what tells nothing of a run there is nothing to check.
  func check(_ told: some Sendable, nowUs: Int64, _ time: GameTime) throws {
    switch told {
    case let changed as RhythmChanged: try check(changed.startUs, changed.endUs, "\(changed)")
    case let resumed as RhythmResume.Result: try check(resumed.startUs, resumed.endUs, "\(resumed)")
    case let started as RhythmStart.Result: try check(started.startUs, started.endUs, "\(started)")
    case let status as RhythmStatus.Result:
      guard let start = status.startUs else { return }
      try check(start, status.endUs, "\(status)")
      let torn = status.beatsInSight.first { $0.beatUs - start != beats[$0.beat] }
      try ensure(torn == nil, "beat \(torn.map { "\($0)" } ?? "") of a run from \(start): \(status)")
    default: break
    }
  }

  private func check(_ start: Int64, _ end: Int64?, _ told: @autoclosure () -> String) throws {
    guard let end else { return }
    try ensure(end - start == self.end, "a run of \(self.end) us is told to begin and end as \(told())")
  }
}
