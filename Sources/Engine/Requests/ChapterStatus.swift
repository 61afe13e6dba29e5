// SPDX-License-Identifier: Apache-2.0

import Rhythm
import Timing
import Wire

extension Engine {
  /// `rhythm.status`: of the chapter that runs, or of the last.
  public func chapterStatus() -> RhythmStatus.Result {
    guard let chapter else {
      return RhythmStatus.Result(
        chapter: lastChapter.map { $0.key.description }, running: false, score: lastChapter?.score ?? .none,
        positionUs: nil, run: lastChapter?.run)
    }
    let (run, course, now) = (chapter.run, chapter.course, turn.now.microseconds)
    var status = RhythmStatus.Result(
      chapter: chapter.key.description, running: true, score: Score(run.session.summary, course.rules.grades),
      positionUs: run.songPosition(at: now), run: chapter.id)
    (status.startUs, status.endUs) = (run.clock.zero, run.end)
    status.startPositionUs = course.position
    status.rate = course.rate.value
    status.beats = course.beatCount
    status.lanes = course.map.lanes
    status.windowUs = course.rules.window
    status.spawnLeadUs = course.rules.spawnLead
    status.grades = course.rules.grades.map(GradeWindow.init)
    status.judgingOffsetUs = course.judgingOffset
    status.deviceLeadUs = turn.deviceLead.microseconds
    if let from = run.session.assistedFrom, let assist = course.rules.assist {
      status.assist = RhythmStatus.Assist(fromUs: run.clock.instant(of: from), windowUs: assist.window)
    }
    status.pausedUs = run.clock.pausedFrom
    if !run.isPaused, let goesOn = run.clock.goesOn, goesOn > now { status.goesOnUs = goesOn }
    status.leaseUs = chapter.lease.microseconds
    status.leaseEndsUs = chapter.leaseEnds?.microseconds
    status.beatsInSight = run.beatsInSight(at: now, most: RhythmStatus.mostBeats).map { beat in
      RhythmStatus.Beat(beat: beat.index, lane: chapter.terms.laneName(course.beats[beat.index].lane), beatUs: beat.at)
    }
    status.verdicts = chapter.verdicts.map { verdict in
      var errorUs: Int64?
      if case .hit(let error) = verdict.verdict { errorUs = error }
      return RhythmStatus.JudgedBeat(
        beat: verdict.beat, verdict: JudgementKind(verdict.verdict), errorUs: errorUs,
        grade: chapter.terms.gradeName(verdict.grade))
    }
    return status
  }
}
