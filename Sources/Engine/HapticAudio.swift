import Haptics
import Mixing
import Timing

/// The voices that play the sounds of haptic patterns.
struct HapticAudio {
  /// One sound, planned or playing.
  struct Voice {
    var player: HapticPlayerID
    /// When it is heard to begin.
    var at: Instant
    var gain: Float
    /// The position in the pattern at which it is cut off; nil when it ends by itself.
    var end: Interval?
    /// The instant at which that is, as planned.
    var endsAt: Instant?
    /// It was called off before it began; the mixer has yet to say so.
    var isCancelled = false
  }

  /// The most sounds of patterns planned and playing at once.
  static let mostVoices = 32

  var voices: [VoiceID: Voice] = [:]
  /// Sounds that begin before this instant have been planned.
  var plannedUntil = Instant.distantPast
  /// When to look for sounds again.
  var nextLook = Instant.distantPast

  /// The voices of a player that are planned or playing, in the order of their starts.
  func voices(of player: HapticPlayerID) -> [(id: VoiceID, voice: Voice)] {
    voices.filter { $0.value.player == player && !$0.value.isCancelled }.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { ($0.key, $0.value) }
  }
}

/// What becomes of a sound that is playing when its player is changed.
enum HapticAudioChange {
  case stop, pause, resume
  case gain(Float)

  func command(_ voice: VoiceID, at frame: Int64, fade: Fade) -> MixerCommand {
    switch self {
    case .stop: .stop(voice, at: frame, fade: fade)
    case .pause: .pause(voice, at: frame, fade: fade)
    case .resume: .resume(voice, at: frame, fade: fade)
    case .gain(let gain): .gain(voice, to: gain, at: frame, fade: fade)
    }
  }
}
