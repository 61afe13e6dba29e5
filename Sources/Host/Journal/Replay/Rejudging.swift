// SPDX-License-Identifier: Apache-2.0

import Rhythm
import Synchronization

/// Other rules by which the taps of a run are judged again.
public struct Rejudging: Sendable, Equatable {
  /// How much later than a beat is heard it is to be tapped, in microseconds; as it was when missing.
  public var offsetUs: Int64?
  /// Half-width of a beat's window, in microseconds; as it was when missing.
  public var windowUs: Int64?

  /// As it was, where nothing is given.
  public init(offsetUs: Int64? = nil, windowUs: Int64? = nil) {
    self.offsetUs = offsetUs
    self.windowUs = windowUs
  }

  /// The same course by these rules. Help is as wide as the window at least, and names for hits are those within it.
  func course(_ course: Course) -> Course {
    var rules = course.rules
    if let windowUs {
      rules.window = windowUs
      let helped = rules.assist?.window ?? windowUs
      rules.assist?.window = max(windowUs, helped)
      rules.grades = rules.grades.filter { $0.window <= windowUs }
    }
    return Course(
      map: course.map, rules: rules, from: course.position, rate: course.rate,
      judgingOffset: offsetUs ?? course.judgingOffset)
  }
}

/// One run of a chapter, as it was judged and as it is judged by other rules.
public struct RejudgedRun: Sendable, Equatable, Encodable {
  /// By its own rules.
  public var was: RejudgedScore
  /// By the others.
  public var isNow: RejudgedScore
}

/// How a run of a journal came out, by one set of rules.
public struct RejudgedScore: Sendable, Equatable, Encodable {
  /// Beats tapped in time.
  public var hits: Int
  /// Beats declared missed.
  public var misses: Int
  /// Beats that nobody could tap.
  public var voided: Int
  /// Taps that claimed nothing.
  public var ghosts: Int
  /// How late hits were, in the middle; nil where there were none.
  public var medianErrorUs: Int64?

  init(_ summary: RhythmSummary) {
    (hits, misses, voided, ghosts) = (summary.hits, summary.misses, summary.voided, summary.ghosts)
    medianErrorUs = summary.errors.count > 0 ? summary.errors.median : nil
  }
}

/// What the runs of chapters were told, as a journal is replayed.
final class RhythmSteps: Sendable {
  private let steps = Mutex<[RhythmStep]>([])

  func note(_ step: RhythmStep) { steps.withLock { $0.append(step) } }

  /// How many there are.
  var count: Int { steps.withLock { $0.count } }

  /// What was noted from there on did not happen.
  func forget(from count: Int) { steps.withLock { $0.removeLast(max(0, $0.count - count)) } }

  /// Each run judged again.
  func judged(by rules: Rejudging) -> [RejudgedRun] {
    var runs: [(was: RhythmRun, isNow: RhythmRun)] = []
    for step in steps.withLock({ $0 }) {
      if case .began(let course, let start) = step {
        runs.append((RhythmRun(course, start: start), RhythmRun(rules.course(course), start: start)))
      } else if let last = runs.indices.last {
        runs[last].was.follow(step)
        runs[last].isNow.follow(step)
      }
    }
    return runs.map { run in
      var isNow = run.isNow
      // Where it was played to its end, what is judged later by these rules has its end too.
      if run.was.session.isComplete { _ = isNow.advance(to: isNow.clock.zero + isNow.course.end + 60_000_000) }
      return RejudgedRun(was: .init(run.was.session.summary), isNow: .init(isNow.session.summary))
    }
  }
}
