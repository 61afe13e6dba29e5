// SPDX-License-Identifier: Apache-2.0

import Mixing
import Rhythm
import Timing

/// Chapters that stand still, go on, and begin anew: what is heard, told and judged moves together.
extension Engine {
  /// What `resumeChapter` came to.
  struct Resumed {
    /// When the song is heard again.
    var heardFrom: Instant
    /// When the run goes on, and all that is heard is new.
    var goesOn: Instant
    /// By how much all that is to come has moved on the clock.
    var moved: Interval
    /// Beats that are heard for the second time.
    var countIn: Int
  }

  /// Holds the chapter as soon as that can be heard; the instant from which it stands still. What is over by then has no music to
  /// hold, and nobody would let go of it.
  mutating func holdChapter() throws(VerbRefusal) -> Instant {
    advanceChapter()
    var current = try runningChapter()
    if let paused = current.run.clock.pausedFrom { return Instant(microseconds: paused) }
    // A tap that was taken, a little ahead of now, counts: it is before the pause.
    let tapped = current.run.latestTap.map { Instant(microseconds: $0 + 1) }
    let at = max(soonestChange(of: current), tapped ?? .distantPast)
    if let end = current.run.end, at.microseconds >= end {
      throw VerbRefusal(
        .tooLate, "chapter \(current.key) is over before it can be paused",
        remedy: "\(method: "music.pause") pauses what plays on after its end")
    }
    if current.songFrom >= at {
      cancelMusic(.chapterPaused) { $0.purpose == .chapter && $0.verb.startsVoice }
      current.songFrom = .distantFuture
    } else {
      try plan(.pause(.chapter, declick), at: at, for: .chapter, by: .daemon)
    }
    current.run.pause(at: at.microseconds)
    current.holdsFrom = min(current.holdsFrom, at)
    chapter = current
    callOffMusicInChapter()
    tellChapter(.paused, at: at)
    return at
  }

  /// Lets the chapter go on, `countIn` beats of its track before where it stands; with fewer where the song has no more.
  mutating func resumeChapter(countIn beats: Int?) throws(VerbRefusal) -> Resumed {
    advanceChapter()
    var current = try runningChapter()
    guard let paused = current.run.clock.pausedFrom else {
      throw VerbRefusal(
        .notRunning, "chapter \(current.key) is not paused", remedy: "\(method: "rhythm.pause") pauses it")
    }
    let stood = current.run.clock.heardMoment(at: paused)
    let countIn = try countIn(beats, of: current, before: stood)
    let hasBegun = current.songFrom < Instant(microseconds: paused)
    let position = hasBegun ? songFrame(of: current, at: stood - countIn.length) : current.song.position
    let soonest = earliestStart(of: current.song.info, from: position).roundedUpToMicrosecond
    let heardFrom = max(soonest, soonestChange(of: current), Instant(microseconds: paused))
    let moved = current.run.resume(at: heardFrom.microseconds, countIn: countIn.length)
    if hasBegun {
      current.songPlan = try replay(current.song, from: position, at: heardFrom) ?? current.songPlan
    } else {
      current.songFrom = Instant(microseconds: current.run.clock.zero)
      current.songPlan = try plan(.play(current.song), at: current.songFrom, for: .chapter, by: .daemon)
    }
    chapter = current
    callOffMusicInChapter()
    let resumed = Resumed(
      heardFrom: heardFrom, goesOn: Instant(microseconds: current.run.clock.goesOn ?? heardFrom.microseconds),
      moved: .microseconds(moved) + stoodMeanwhile(since: paused, until: current.run.end), countIn: countIn.beats)
    tellChapter(.resumed, at: heardFrom, resumed)
    return resumed
  }

  /// How long the engine stood on the clock between two instants of its own, by what is known of pauses now.
  private func stoodMeanwhile(since paused: Int64, until end: Int64?) -> Interval {
    guard let end else { return .zero }
    func behind(_ us: Int64) -> Interval { clock.told(Instant(microseconds: us)) - Instant(microseconds: us) }
    return behind(end) - behind(paused)
  }

  /// Lets another run of the chapter begin where the last one did, as soon as its first spawn is whole.
  mutating func restartChapter() throws(VerbRefusal) {
    advanceChapter(isEnding: true)
    var current = try runningChapter()
    let start = soonestStart(of: current.course, current.song)
    try checkRoom(forSongAt: start, leaving: true)
    silence(current, .chapterStopped)
    current.songPlan = try plan(.play(current.song), at: start, for: .chapter, by: .daemon)
    let last = current.id
    current.id = makeRun()
    current.run = RhythmRun(
      current.course, start: start.microseconds, witness: configuration.rhythmWitness)
    current.holdsFrom = min(current.holdsFrom, start)
    current.songFrom = start
    current.verdicts = []
    chapter = current
    callOffMusicInChapter()
    tellChapter(.restarted, at: start, after: last)
    advanceChapter()
  }

  /// The first instant at which a run can begin: its place in the track is at hand, and its first spawn is whole.
  func soonestStart(of course: Course, _ song: MusicPlayer.Request) -> Instant {
    let lead = Interval.microseconds(max(0, course.rules.spawnLead - (course.firstBeat ?? 0)))
    return (earliestStart(of: song.info, from: song.position) + lead).roundedUpToMicrosecond
  }

  /// How much of the run is heard again: whole beats of the track, as the player hears them.
  private func countIn(
    _ beats: Int?, of chapter: Chapter, before moment: Int64
  ) throws(VerbRefusal) -> (beats: Int, length: Int64) {
    guard let bpm = chapter.terms.bpm else {
      guard beats ?? 0 == 0 else {
        throw VerbRefusal(
          .invalid, "the track of chapter \(chapter.key) has no bpm to count in by",
          remedy: "let it go on with 0 beats, or give the track a bpm in its pack")
      }
      return (0, 0)
    }
    func length(_ beats: Int) -> Int64 {
      Int64((Double(beats) * 60e6 / bpm / chapter.course.rate.value).rounded())
    }
    let songBegins = chapter.course.rate.playerTime(of: -chapter.course.position)
    var whole = beats ?? Self.countInBeats
    while whole > 0, moment - length(whole) < songBegins { whole -= 1 }
    return (whole, length(whole))
  }

  /// Beats of a count-in for which nothing else is asked.
  static let countInBeats = 4
}
