// SPDX-License-Identifier: Apache-2.0

import ChapterOracle
import Wire

/// One run of a chapter as it was asked for, and all that was told of it. Instants are game time.
struct PlayedRun {
  let id: Int64
  /// When it was asked for.
  let asked: Int64
  let start: Int64
  var deliveries: [Delivery] = []
  var pauses: [Pause] = []
  var looks: [(at: Int64, taps: Int)] = []
  /// When it was broken off.
  var cut: Int64?

  /// What is told of taps and misses, and between which instants it came.
  var told: [(from: Int64, to: Int64, line: String)] = []
  var refused: [String] = []
  var announced: [String] = []
  var moved: [Int64] = []
  var goesOn: [Int64] = []
  /// Of each look, and how many pauses were over by then, as was told.
  var seen: [(sight: Sight, instants: [Int64], resumed: Int)] = []
  var tally: SeenTally?
  private var hits = 0

  init(id: Int64, asked: Int64, start: Int64) { (self.id, self.asked, self.start) = (id, asked, start) }

  var isPaused: Bool { pauses.last.map { $0.to == .max } ?? false }

  mutating func hear(_ judgement: RhythmJudgement, at tUs: Int64, between from: Int64, and to: Int64) {
    let grade = judgement.grade ?? "-1"
    if judgement.verdict == .hit { hits += 1 }
    let tally = "\(judgement.misses), combo \(judgement.combo) of \(hits)"
    let beat = judgement.beat ?? -1
    let line =
      switch judgement.verdict {
      case .hit: "hit \(beat) at \(tUs) \(judgement.errorUs ?? .max) \(grade), \(tally)"
      case .miss: "miss \(beat) at \(tUs), \(tally)"
      case .void: "void \(beat) at \(tUs), \(tally)"
      case .ghost: "ghost \(tUs), \(judgement.misses)"
      }
    told.append((from, to, line))
  }

  mutating func hear(_ complete: RhythmComplete, between from: Int64, and to: Int64) {
    let score = complete.score
    tally = SeenTally(hits: score.hits, misses: score.misses, ghosts: score.ghosts, longestCombo: score.longestCombo)
    guard !complete.stopped else { return }
    let beats = score.hits + score.misses + score.voided + score.remaining
    told.append((from, to, "complete \(beats) \(score.grades.map(\.hits)) \(score.longestCombo)"))
  }

  mutating func look(_ status: RhythmStatus.Result, at now: Int64) {
    looks.append((now, deliveries.count))
    let verdicts = status.verdicts.map { verdict in
      switch verdict.verdict {
      case .hit: "\(verdict.beat) hit \(verdict.errorUs ?? .max) \(verdict.grade ?? "-1")"
      default: "\(verdict.beat) \(verdict.verdict)"
      }
    }
    let score = status.score
    let sight = Sight(
      isOver: !status.running, moment: status.positionUs ?? .max, inSight: status.beatsInSight.map(\.beat),
      verdicts: verdicts,
      tally: SeenTally(hits: score.hits, misses: score.misses, ghosts: score.ghosts, longestCombo: score.longestCombo),
      assisted: status.assist?.fromUs)
    seen.append((sight, status.beatsInSight.map(\.beatUs), moved.count))
  }
}
