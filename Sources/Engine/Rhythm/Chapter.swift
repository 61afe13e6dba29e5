// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Rhythm
import Timing

/// A rhythm chapter being played: a run, the music that goes with it, and whose it is.
struct Chapter {
  /// How many verdicts are kept for who comes back.
  static let mostVerdicts = 48

  /// What became of one beat, as it is told again to who comes back.
  struct Verdict {
    var beat: Int
    var verdict: Judgement.Verdict
    var grade: Int?
  }

  /// In the reading of its pack that it keeps to its end, restarts included.
  let key: LoadedKey
  /// Cues of the pack for what happens in the chapter.
  let feedback: PackChapter.Feedback
  /// The song, from the place and at the rate of the run.
  let song: MusicPlayer.Request
  /// Beats a minute of the track, at its own rate.
  let bpm: Double?
  /// Whether it stays the last chapter once it is over.
  let isRecorded: Bool
  /// Counts runs from 1, restarts included.
  var id: Int64
  var run: RhythmRun
  /// When the song begins, or began: before it the music is not the chapter's yet.
  var songFrom: Instant
  /// What begins the song, or began it last.
  var songPlan: PlanID
  /// Since when other verbs of music are kept away.
  var holdsFrom: Instant
  /// Who started it or took it over.
  var owner: Cause
  /// How long it goes on without that client.
  var lease: Interval
  /// When it ends for want of a client; nil while there is one.
  var leaseEnds: Instant?
  /// The last of them.
  var verdicts: [Verdict] = []

  var course: Course { run.course }

  /// When the chapter's part of the song is over, as things stand; nil while it is paused.
  var end: Instant? { run.end.map(Instant.init(microseconds:)) }

  /// When the music is the chapter's: from the song's beginning until no beat can be open any more, and for as long as it is
  /// paused.
  var holdsMusic: Range<Instant> {
    let end = run.isPaused ? .distantFuture : Instant(microseconds: run.clock.zero + course.latestEnd)
    return holdsFrom..<max(holdsFrom, end)
  }

  func laneName(_ index: Int?) -> String? { index.map { course.map.lanes[$0] } }

  func gradeName(_ index: Int?) -> String? { index.map { course.rules.grades[$0].name } }

  mutating func note(_ judgement: Judgement) {
    if verdicts.count == Self.mostVerdicts { verdicts.removeFirst() }
    verdicts.append(Verdict(beat: judgement.index, verdict: judgement.verdict, grade: judgement.grade))
  }
}
