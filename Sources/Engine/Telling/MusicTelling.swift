// SPDX-License-Identifier: Apache-2.0

import Mixing
import Outcomes
import Timing
import Wire

/// What becomes of the music, as clients are told.
extension Engine {
  mutating func tell(_ change: MusicChange, at instant: Instant, _ cause: Cause?) {
    notify(
      MusicChanged(
        change: change.kind, track: change.track.description, from: change.from.map(\.description),
        fadeUs: change.fade.map { microseconds(Int64($0.frames)) },
        fadeOutUs: change.fadeOut.map { microseconds(Int64($0.frames)) },
        positionUs: change.position.map { microseconds($0) }),
      // What ends by itself or came late lies between two microseconds: as instants are promised, it is the first behind.
      at: instant.roundedUpToMicrosecond, by: cause)
  }

  /// A verb that was planned does not happen. A cue that is still to be told says so itself as well.
  mutating func tellCancelled(_ entry: MusicPlan.Entry, _ reason: CancelReason, at instant: Instant) {
    if entry.purpose == .switch { return }
    var cue: PlanID?
    if case .cue(let id) = entry.purpose { cue = id }
    notifyInTurn(
      MusicCancelled(
        plan: entry.id.rawValue, verb: entry.verb.name, reason: reason, plannedUs: entry.at.microseconds,
        cue: cue?.rawValue), at: instant, by: entry.cause)
    noteUnbegun(
      UnbegunPart(what: .music(entry.id.rawValue), cue: cue?.rawValue, due: entry.at, at: instant, cause: entry.cause))
    guard let cue else { return }
    let held = reason == .chapter ? chapter.map { Self.musicIsHeld(by: $0).sentence } : nil
    skip(
      CueSkip(.init(reason), step: words(for: entry.verb), reason: held ?? reason.sentence), of: cue,
      isFelt: false, at: entry.at)
  }

  /// A voice's stream ran dry.
  public mutating func voiceStarved(_ voice: VoiceID, at frame: Int64) { note(.starved, voice, at: frame) }

  /// A voice whose stream ran dry sounds again, where it would have been.
  public mutating func voiceRejoined(_ voice: VoiceID, at frame: Int64) { note(.rejoined, voice, at: frame) }

  private mutating func note(_ kind: MusicHappening, _ voice: VoiceID, at frame: Int64) {
    guard let track = music.player.track(of: voice) else { return }
    music.note(MusicChange(kind: kind, track: track.key), at: frame, heardAt: turn.timeline.instant(ofFrame: frame))
  }
}

extension CancelReason {
  /// For people, as part of a sentence.
  var sentence: String {
    switch self {
    case .cancelled: "called off"
    case .stopped: "the music was stopped before it"
    case .notPlaying: "no track was playing at its instant"
    case .busy: "as many tracks were fading out as can"
    case .chapterStopped: "its chapter was stopped"
    case .chapterPaused: "its chapter was paused"
    case .chapter: "the music is a chapter's then"
    case .clientLeft: "its client left"
    case .unavailable: "its track could not be opened"
    case .outdated: "its pack was read anew, and too many earlier readings were held"
    case .shutdown: "the daemon ended before it"
    }
  }
}
