// SPDX-License-Identifier: Apache-2.0

import Rhythm
import Timing
import Wire

/// What becomes of a chapter, as clients are told.
extension Engine {
  /// Spawns and beats that wait to be told: recalled when their chapter ends before them.
  private static let announcements = "rhythm"
  /// A beat heard longer ago is not told any more.
  static let oldestBeat = Interval.milliseconds(100)

  mutating func tell(_ announcement: BeatAnnouncer.Announcement, of chapter: Chapter) {
    switch announcement {
    case .spawn(let moment):
      let at = chapter.instant(ofPosition: moment.at)
      let beatAt = chapter.instant(ofPosition: moment.beat.at)
      notify(
        RhythmSpawn(beat: moment.index, lane: chapter.laneName(moment.beat.lane), beatUs: beatAt.microseconds), at: at,
        sendAt: at, uselessAfter: beatAt + Self.oldestBeat, group: Self.announcements)
    case .beat(let moment):
      let at = chapter.instant(ofPosition: moment.at)
      notify(
        RhythmBeat(beat: moment.index, lane: chapter.laneName(moment.beat.lane)), at: at, sendAt: at,
        uselessAfter: at + Self.oldestBeat, group: Self.announcements)
    }
  }

  mutating func tell(_ actions: [RhythmAction]) {
    for action in actions {
      guard let current = chapter else { return }
      switch action {
      case .judgement(let judgement):
        var told = RhythmJudgement(
          verdict: .miss, beat: judgement.index, lane: current.laneName(judgement.beat.lane), errorUs: nil,
          misses: judgement.misses)
        switch judgement.verdict {
        case .hit(let error): (told.verdict, told.errorUs) = (.hit, error)
        case .miss: break
        case .void: told.verdict = .void
        }
        notify(told, at: current.instant(ofPosition: judgement.stampedAt))
        switch told.verdict {
        case .hit: fireFeedback(current.feedback.hit, of: current)
        case .miss: fireFeedback(current.feedback.miss, of: current)
        case .ghost, .void: break
        }
      case .ghost(let ghost):
        notify(
          RhythmJudgement(
            verdict: .ghost, beat: nil, lane: current.laneName(ghost.lane), errorUs: nil, misses: ghost.misses),
          at: current.instant(ofPosition: ghost.stampedAt), coalescingKey: "rhythm.ghost")
        fireFeedback(current.feedback.ghost, of: current)
      case .assist(let assist):
        notify(RhythmAssist(windowUs: assist.window), at: current.instant(ofPosition: assist.at))
        fireFeedback(current.feedback.assist, of: current)
      case .complete(_, let at):
        endChapter(current, stopped: false, at: current.instant(ofPosition: at))
        applySwitches()
        fireFeedback(current.feedback.complete, of: current)
      }
    }
  }

  mutating func endChapter(_ ended: Chapter, stopped: Bool, at instant: Instant) {
    chapter = nil
    if ended.isRecorded { lastChapter = (ended.key, ended.session.summary) }
    notify(
      RhythmComplete(chapter: spelled(ended.key), stopped: stopped, score: Score(ended.session.summary)), at: instant,
      recalls: Self.announcements)
  }
}

extension Chapter {
  fileprivate func laneName(_ index: Int?) -> String? { index.map { session.map.lanes[$0] } }
}

extension Score {
  /// Nothing played yet.
  static let none = Score(
    hits: 0, misses: 0, ghosts: 0, remaining: 0, assisted: false, medianErrorUs: nil, meanErrorUs: nil, spreadUs: nil)

  init(_ summary: RhythmSummary) {
    let hasHits = summary.hits > 0
    self.init(
      hits: summary.hits, misses: summary.misses, voided: summary.voided, ghosts: summary.ghosts,
      remaining: summary.pending,
      assisted: summary.assistedFrom != nil, medianErrorUs: hasHits ? summary.errors.median : nil,
      meanErrorUs: hasHits ? summary.errors.mean : nil,
      spreadUs: hasHits ? summary.errors.medianAbsoluteDeviation : nil)
  }
}
