// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Rhythm
import Timing

/// A rhythm chapter being played: a run, the music that goes with it, and whose it is.
struct Chapter {
  /// How many verdicts are kept for who comes back.
  static let mostVerdicts = 48

  /// What became of one beat, as it is told again to who comes back.
  struct JudgedBeat {
    var beat: Int
    var verdict: BeatVerdict
    var grade: Int?
  }

  /// What it goes by to its end, restarts included. In one place: whoever looks at a chapter, at each tap, copies none of it.
  final class Terms {
    /// In the reading of its pack that it keeps.
    let key: LoadedKey
    /// Cues of the pack for what happens in the chapter.
    let feedback: PackChapter.Feedback
    /// The song, from the place and at the rate of the run.
    let song: MusicPlayer.Request
    /// What is tapped.
    let course: Course
    /// Beats a minute of the track, at its own rate.
    let bpm: Double?
    /// Whether it stays the last chapter once it is over.
    let isRecorded: Bool

    init(
      key: LoadedKey, feedback: PackChapter.Feedback, song: MusicPlayer.Request, course: Course, bpm: Double?,
      isRecorded: Bool
    ) {
      self.key = key
      self.feedback = feedback
      self.song = song
      self.course = course
      self.bpm = bpm
      self.isRecorded = isRecorded
    }

    func laneName(_ index: Int?) -> String? { index.map { course.map.lanes[$0] } }

    func gradeName(_ index: Int?) -> String? { index.map { course.rules.grades[$0].name } }
  }

  let terms: Terms
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
  var verdicts: [JudgedBeat] = []

  var key: LoadedKey { terms.key }

  var song: MusicPlayer.Request { terms.song }

  var course: Course { terms.course }

  /// When the music is the chapter's: from the song's beginning to the run's end, and for as long as it is paused.
  var holdsMusic: Range<Instant> {
    let end = run.end.map(Instant.init(microseconds:)) ?? .distantFuture
    return holdsFrom..<max(holdsFrom, end)
  }

  /// When `Engine.advanceChapter` has something to do, which tells beats `lead` ahead.
  func deadline(announcing lead: Interval) -> Instant? {
    let announcement = run.nextAnnouncement.map { Instant(microseconds: $0) - lead }
    return earliest(earliest(announcement, run.nextDeadline.map(Instant.init(microseconds:))), leaseEnds)
  }

  mutating func note(_ judgement: Judgement) {
    if verdicts.count == Self.mostVerdicts { verdicts.removeFirst() }
    verdicts.append(JudgedBeat(beat: judgement.index, verdict: judgement.verdict, grade: judgement.grade))
  }
}
