// SPDX-License-Identifier: Apache-2.0

import Rhythm
import Timing
import Wire

/// What becomes of a chapter, as clients are told.
extension Engine {
  /// Spawns and beats that wait to be told: recalled when their chapter ends before them, or moves.
  private static let announcements = "rhythm"
  /// A beat heard longer ago is not told any more.
  static let oldestBeat = Interval.milliseconds(100)

  mutating func tell(_ announcement: BeatAnnouncer.Announcement, of terms: Chapter.Terms, _ run: Int64) {
    switch announcement {
    case .spawn(let moment):
      let at = Instant(microseconds: moment.at)
      let spawn = RhythmSpawn(
        beat: moment.index, lane: terms.laneName(moment.beat.lane), beatUs: moment.beat.at, run: run)
      notify(
        spawn, at: at, sendAt: at, uselessAfter: Instant(microseconds: moment.beat.at) + Self.oldestBeat,
        group: Self.announcements)
    case .beat(let moment):
      let at = Instant(microseconds: moment.at)
      notify(
        RhythmBeat(beat: moment.index, lane: terms.laneName(moment.beat.lane), run: run), at: at, sendAt: at,
        uselessAfter: at + Self.oldestBeat, group: Self.announcements)
    }
  }

  mutating func tell(_ actions: [RhythmAction]) {
    for action in actions {
      guard let (terms, run) = chapterTold else { return }
      switch action {
      case .judgement(let judgement): tell(judgement, of: terms, run)
      case .ghost(let ghost):
        if tellsJudgements {
          notify(
            RhythmJudgement(
              verdict: .ghost, beat: nil, lane: terms.laneName(ghost.lane), errorUs: nil, misses: ghost.tally.misses,
              combo: ghost.tally.combo, accuracy: ghost.tally.accuracy, run: run),
            at: Instant(microseconds: ghost.stampedAt), coalescingKey: "rhythm.ghost")
        }
        fireFeedback(terms.feedback.ghost, of: terms)
      case .assist(let assist):
        notify(RhythmAssist(windowUs: assist.window, run: run), at: Instant(microseconds: assist.at))
        fireFeedback(terms.feedback.assist, of: terms)
      case .complete(_, let at):
        if let current = chapter { endChapter(current, stopped: false, at: Instant(microseconds: at)) }
        applySwitches()
        fireFeedback(terms.feedback.complete, of: terms)
      }
    }
  }

  private mutating func tell(_ judgement: Judgement, of terms: Chapter.Terms, _ run: Int64) {
    chapter?.note(judgement)
    if tellsJudgements {
      var told = RhythmJudgement(
        verdict: JudgementKind(judgement.verdict), beat: judgement.index,
        lane: terms.laneName(judgement.beat.lane), errorUs: nil, misses: judgement.tally.misses,
        combo: judgement.tally.combo, accuracy: judgement.tally.accuracy, run: run)
      if case .hit(let error) = judgement.verdict { told.errorUs = error }
      told.grade = terms.gradeName(judgement.grade)
      notify(told, at: Instant(microseconds: judgement.stampedAt))
    }
    switch judgement.verdict {
    case .hit: fireFeedback(terms.feedback.hit, of: terms)
    case .miss: fireFeedback(terms.feedback.miss, of: terms)
    case .void: break
    }
  }

  mutating func endChapter(_ ended: Chapter, stopped: Bool, at instant: Instant) {
    chapter = nil
    let score = Score(ended.run.session.summary, ended.course.rules.grades)
    if ended.terms.isRecorded { lastChapter = (ended.key.key, ended.id, score) }
    notify(
      RhythmComplete(chapter: ended.key.description, stopped: stopped, score: score, run: ended.id), at: instant,
      recalls: Self.announcements)
  }

  /// Tells how the chapter goes on. What was announced for after a pause is recalled, and all of a run that is over.
  mutating func tellChapter(
    _ change: RhythmChanged.Change, at instant: Instant, _ resumed: Resumed? = nil, after lastRun: Int64? = nil
  ) {
    guard let chapter else { return }
    let isStart = change == .started || change == .restarted
    let changed = RhythmChanged(
      change: change, chapter: chapter.key.description, run: chapter.id, lastRun: lastRun,
      startUs: chapter.run.clock.zero, endUs: chapter.run.end, pausedUs: chapter.run.clock.pausedFrom,
      positionUs: isStart ? chapter.course.position : chapter.run.songPosition(at: instant.microseconds),
      movedUs: resumed?.moved.microseconds, goesOnUs: resumed?.goesOn.microseconds,
      leaseEndsUs: chapter.leaseEnds?.microseconds)
    switch change {
    case .paused: notify(changed, at: instant, recalls: Self.announcements, recallsFrom: instant)
    case .restarted: notify(changed, at: instant, recalls: Self.announcements)
    default: notify(changed, at: instant)
    }
  }
}

extension JudgementKind {
  init(_ verdict: BeatVerdict) {
    self =
      switch verdict {
      case .hit: .hit
      case .miss: .miss
      case .void: .void
      }
  }
}

extension Score {
  /// Nothing played yet.
  static let none = Score(
    hits: 0, misses: 0, ghosts: 0, remaining: 0, assisted: false, medianErrorUs: nil, meanErrorUs: nil, spreadUs: nil)

  init(_ summary: RhythmSummary, _ grades: [Grade]) {
    let hasHits = summary.hits > 0
    self.init(
      hits: summary.hits, misses: summary.misses, voided: summary.voided, ghosts: summary.ghosts,
      remaining: summary.pending,
      assisted: summary.assistedFrom != nil, medianErrorUs: hasHits ? summary.errors.median : nil,
      meanErrorUs: hasHits ? summary.errors.mean : nil,
      spreadUs: hasHits ? summary.errors.medianAbsoluteDeviation : nil,
      combo: summary.combo, longestCombo: summary.longestCombo, accuracy: summary.accuracy,
      grades: zip(grades, summary.grades).map { GradeCount(grade: $0.name, hits: $1) })
  }
}
