// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Rhythm
import Timing

/// The verbs of rhythm chapters: how they begin, go on and end.
extension Engine {
  /// What `start` is asked for.
  struct ChapterStart {
    var key: LoadedKey
    var entry: PackChapter
    var course: Course
    var isRecorded: Bool
    var lease: Interval
  }

  /// Starts a chapter and its music at an instant. Plans of music that fall inside are called off.
  mutating func start(_ start: ChapterStart, _ song: MusicPlayer.Request, at instant: Instant, by cause: Cause)
    throws(VerbRefusal)
  {
    try checkRoom(forSongAt: instant, leaving: false)
    let songPlan = try plan(.play(song), at: instant, for: .chapter, by: .daemon)
    let track = start.key.generation.manifest.tracks[start.entry.track]
    chapter = Chapter(
      terms: Chapter.Terms(
        key: start.key, feedback: start.entry.feedback, song: song, course: start.course, bpm: track?.bpm,
        isRecorded: start.isRecorded),
      id: makeRun(),
      run: RhythmRun(start.course, start: instant.microseconds, witness: configuration.rhythmWitness),
      songFrom: instant, songPlan: songPlan, holdsFrom: instant, owner: cause, lease: start.lease)
    callOffMusicInChapter()
    applySwitches()
    tellChapter(.started, at: instant)
    advanceChapter()
  }

  /// Whether a chapter is running, or waits for its beginning.
  public var isJudging: Bool { chapter != nil }

  /// When the next beat, held tap or end of the chapter is settled, in the engine's time; nil while that is not known, or
  /// never.
  public var settlesNext: Instant? { chapter?.run.nextDeadline.map(Instant.init(microseconds:)) }

  /// Nobody was listened to from `from` to `to`. Tell it before the requests that waited meanwhile: until `advance` their
  /// taps are kept, to be judged at their stamps.
  public mutating func stalled(from: Instant, to: Instant) {
    chapter?.run.stall(from: from.microseconds, to: to.microseconds)
  }

  /// Ends the chapter, and its music with it.
  mutating func stopChapter() throws(VerbRefusal) {
    advanceChapter(isEnding: true)
    breakOff(try runningChapter(), at: present)
  }

  /// The chapter that runs.
  func runningChapter() throws(VerbRefusal) -> Chapter {
    guard let chapter else { throw Self.noChapter }
    return chapter
  }

  static let noChapter = VerbRefusal(
    .notRunning, "no chapter is running", remedy: "\(method: "rhythm.start") begins one")

  /// Ends a chapter before its time, told for `instant`.
  private mutating func breakOff(_ ended: Chapter, at instant: Instant) {
    silence(ended, .chapterStopped)
    endChapter(ended, stopped: true, at: instant)
    applySwitches()
  }

  /// A verb of music that was planned came to nothing: where it was to begin the chapter's song the chapter ends with it.
  mutating func endChapter(without song: PlanID, at instant: Instant) {
    guard let chapter, chapter.songPlan == song else { return }
    advanceChapter(isEnding: true)
    breakOff(chapter, at: instant)
  }

  /// Tells what became due in the chapter, and ends it at its end, or where nobody came back for it. Where it `isEnding` nobody is heard
  /// for it any more, and all that is due by now is settled.
  mutating func advanceChapter(isEnding: Bool = false) {
    guard let (terms, run) = chapterTold else { return }
    let leaseEnds = chapter?.leaseEnds
    let now = min(turn.now, leaseEnds ?? turn.now)
    let ahead = now + configuration.announceLead
    let announcements =
      chapter?.run.announce(
        upTo: min(ahead, leaseEnds ?? ahead).microseconds, oldest: (now - Self.oldestBeat).microseconds) ?? []
    let isLeft = leaseEnds.map { $0 <= present } ?? false
    let settled = isEnding || isLeft ? now : min(now, listenedTo ?? now)
    let actions = chapter?.run.advance(to: settled.microseconds) ?? []
    for announcement in announcements { tell(announcement, of: terms, run) }
    tell(actions)
    if isLeft, let leaseEnds, let left = chapter { breakOff(left, at: leaseEnds) }
  }

  /// What is told of the chapter that runs: its terms, and the number of its run.
  var chapterTold: (terms: Chapter.Terms, run: Int64)? { chapter.map { ($0.terms, $0.id) } }

  var chapterDeadline: Instant? { chapter?.deadline(announcing: configuration.announceLead) }

  // MARK: - Whose it is

  /// The client of the chapter has gone: it goes on for its lease.
  mutating func leaveChapter(_ client: ClientID) {
    guard var current = chapter, current.owner.client == client, current.leaseEnds == nil else { return }
    current.leaseEnds = present(after: current.lease)
    chapter = current
    tellChapter(.unattended, at: present)
    advanceChapter()
  }

  /// Makes the chapter that of a client, which runs as the same user.
  mutating func takeOverChapter(lease: Interval?, by cause: Cause) throws(VerbRefusal) {
    advanceChapter()
    var current = try runningChapter()
    guard current.owner.user == cause.user else {
      throw VerbRefusal(
        .notPermitted, "chapter \(current.key) was started by another user",
        remedy: "only clients of that user can take it over; else it ends with its lease")
    }
    guard current.leaseEnds != nil || current.owner.client == cause.client else {
      throw VerbRefusal(
        .notPermitted, "the client of chapter \(current.key) is still there",
        remedy: "it can be taken over when that client has left")
    }
    current.owner = cause
    current.leaseEnds = nil
    if let lease { current.lease = lease }
    chapter = current
    tellChapter(.takenOver, at: present)
  }
}
