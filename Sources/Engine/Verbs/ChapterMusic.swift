// SPDX-License-Identifier: Apache-2.0

import Mixing
import Outcomes
import Rhythm
import Timing

/// A chapter and its music are one: what it does with the music, and what nobody else may do meanwhile.
extension Engine {
  /// Refuses a verb of music that would tear a chapter and its music apart. A gain cannot: it moves nothing.
  func checkMusicIsFree(for verb: MusicVerb, at instant: Instant, _ purpose: MusicPlan.Purpose) throws(VerbRefusal) {
    guard let chapter, Self.tears(verb, purpose), chapter.holdsMusic.contains(instant) else { return }
    throw Self.musicIsHeld(by: chapter)
  }

  /// Why a verb of music is not for anybody while a chapter runs, and what is in its place.
  static func musicIsHeld(by chapter: Chapter) -> VerbRefusal {
    VerbRefusal(
      .heldByChapter, "the music belongs to chapter \(chapter.key), which is running then",
      remedy: """
        \(method: "rhythm.pause"), \(method: "rhythm.resume") and \(method: "rhythm.restart") move both, \
        \(method: "rhythm.stop") ends both; \(method: "music.gain") and the volumes work
        """)
  }

  /// Calls off what others planned of the music for while it is the chapter's.
  mutating func callOffMusicInChapter() {
    guard let held = chapter?.holdsMusic else { return }
    cancelMusic(.chapter) { Self.tears($0.verb, $0.purpose) && held.contains($0.at) }
  }

  private static func tears(_ verb: MusicVerb, _ purpose: MusicPlan.Purpose) -> Bool {
    if purpose == .chapter || purpose == .switch { return false }
    return switch verb {
    case .gain, .stem: false
    default: true
    }
  }

  /// Ends a chapter's music: calls off what of it has not begun, and fades what has.
  mutating func silence(_ chapter: Chapter, _ reason: CancelReason) {
    let at = soonestChange(of: chapter)
    let starts = music.entries.filter { $0.purpose == .chapter && $0.verb.startsVoice }
    cancelMusic(reason) { $0.purpose == .chapter && $0.verb.startsVoice }
    let left = Set(music.entries.map(\.id))
    let hasBegun = !starts.contains { $0.at == chapter.songFrom && !left.contains($0.id) }
    guard hasBegun, chapter.songFrom <= at else {
      // The song was to begin only later, after a pause of the chapter. It never will, so the chapter's pauses of it that are
      // still to come are called off too.
      cancelMusic(reason) { $0.purpose == .chapter && $0.verb.holds && $0.at >= chapter.songFrom }
      return
    }
    // `try?`: plans by the daemon itself are refused by no share.
    if predictedMusic(at: at).player.current?.track == chapter.song.track {
      _ = try? plan(.stop(fade(.milliseconds(500), .equalPower)), at: at, for: .chapter, by: .daemon)
    }
    if chapter.run.clock.changed != .min {
      _ = try? plan(.resume(.chapter, declick), at: at, for: .chapter, by: .daemon)
    }
  }

  /// The first instant at which the chapter's music can be changed: not before it was changed last, nor what is settled.
  func soonestChange(of chapter: Chapter) -> Instant {
    let soonest = max(turn.earliestSound, turn.now + .microseconds(1)).roundedUpToMicrosecond
    let changed = chapter.run.clock.changed
    return changed == .min ? soonest : max(soonest, Instant(microseconds: changed))
  }

  /// Plays a chapter's song, which was paused, from another place on; the plan that does, nil where it has no more.
  mutating func replay(_ song: MusicPlayer.Request, from position: Int64, at instant: Instant) throws(VerbRefusal)
    -> PlanID?
  {
    var begun: PlanID?
    let isThere = predictedMusic(at: instant).player.current?.track == song.track
    if isThere, position < song.info.frames {
      begun = try plan(
        .seek(position: position, lateBy: 0, crossfade: declick), at: instant, for: .chapter, by: .daemon)
    } else if position < song.info.frames {
      var again = song
      (again.position, again.fade) = (position, declick)
      begun = try plan(.play(again), at: instant, for: .chapter, by: .daemon)
    }
    try plan(.resume(.chapter, declick), at: instant, for: .chapter, by: .daemon)
    return begun
  }

  /// Frames into the chapter's track at a moment of its run.
  func songFrame(of chapter: Chapter, at moment: Int64) -> Int64 {
    let position = Interval.microseconds(max(0, chapter.course.songPosition(at: moment)))
    let frames = position.frames(rate: configuration.rate)
    return chapter.song.loops ? chapter.song.info.loop.wrap(frames) : frames
  }
}
