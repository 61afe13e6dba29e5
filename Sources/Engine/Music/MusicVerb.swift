// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Outcomes

/// What can be asked of the music; what it does depends on what plays at its instant.
enum MusicVerb {
  /// Plays a track, cross-fading from what plays.
  case play(MusicPlayer.Request)
  /// Goes to another place of the track that plays then, paused or not.
  case seek(position: Int64, lateBy: Int64, crossfade: Fade)
  /// Fades everything out and forgets its place.
  case stop(Fade)
  /// Lets what fades out already, and is of that reading of a pack, be over by this fade.
  case endTails(of: Int, Fade)
  /// Holds the track in place until `resume` is told for every reason there is. By the switch only what stands by it is held,
  /// for as long as that plays.
  case pause(PauseReason, Fade)
  /// Takes one reason to pause away.
  case resume(PauseReason, Fade)
  /// Changes the gain of the track that plays then; linear, on top of the pack's.
  case gain(Float, Fade)
  /// Changes the gain of a stem of the track that plays then; linear.
  case stem(String, Float, Fade)

  /// What clients call it.
  var name: MusicVerbName {
    switch self {
    case .play: .play
    case .seek: .seek
    case .stop, .endTails: .stop
    case .pause: .pause
    case .resume: .resume
    case .gain, .stem: .gain
    }
  }

  /// The track that it begins; nil for what goes on with one that plays.
  var track: LoadedKey? { if case .play(let request) = self { request.track } else { nil } }

  /// Whether nothing of what plays is left after it.
  var ends: Bool { if case .stop = self { true } else { false } }

  /// Whether what plays stands still after it.
  var holds: Bool { if case .pause = self { true } else { false } }

  /// Whether it takes a voice of its own.
  var startsVoice: Bool {
    switch self {
    case .play, .seek: true
    case .stop, .endTails, .pause, .resume, .gain, .stem: false
    }
  }
}

/// What became of the music, to be told at its instant.
struct MusicChange: Equatable {
  var kind: MusicHappening
  var track: AssetKey
  /// The track that is faded out for it.
  var from: AssetKey?
  /// How long it takes, longer than asked for where it interrupts others.
  var fade: Fade?
  /// How long `from` takes to go out, where that is another length than `fade`.
  var fadeOut: Fade?
  /// Frames into the track at its instant.
  var position: Int64?
}

/// What a verb comes to.
struct MusicOutcome {
  /// For the mixer.
  var steps: [AudioStep] = []
  /// In order.
  var changes: [MusicChange] = []
  /// Why it came to nothing.
  var cancelled: CancelReason?
}
