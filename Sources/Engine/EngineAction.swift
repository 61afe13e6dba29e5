import Haptics
import Mixing
import Timing
import Wire

/// What the engine wants done. The host carries it out and knows the memory behind the names.
public enum EngineAction {
  /// One batch for the mixer: all of it in one period, or none.
  case audio([AudioStep])
  /// For every haptic device.
  case haptics(HapticCommand)
  /// For the clients that subscribed.
  case notify(OutgoingNotification)
}

/// One step of an audio batch. Frames are absolute output frames.
public enum AudioStep {
  /// Opens the track's stream and starts it.
  case startTrack(TrackStart)
  /// Starts a resident sound.
  case startSound(SoundStart)
  /// A command about voices that exist, or about buses.
  case command(MixerCommand)
  /// One of the many by which the sound of a pattern is led, its end included: they keep their order among each other, and
  /// give way to all else.
  case lead(MixerCommand)
}

/// A track to be streamed into a voice.
public struct TrackStart: Sendable, Equatable {
  /// The voice, new.
  public var voice: VoiceID
  /// The track.
  public var track: AssetKey
  /// The position in the track heard at `at`, in frames of the engine's rate.
  public var position: Int64
  /// The output frame at which it is heard to begin.
  public var at: Int64
  /// Linear gain.
  public var gain: Float
  /// The fade at its beginning.
  public var fade: Fade
  /// Whether it repeats.
  public var loops: Bool
}

/// A resident sound to be started.
public struct SoundStart: Sendable, Equatable {
  /// The voice, new.
  public var voice: VoiceID
  /// The sound.
  public var sound: ResidentSound
  /// The output frame at which it is heard to begin.
  public var at: Int64
  /// Linear gain.
  public var gain: Float
  /// -1...1.
  public var pan: Float
  /// Playback rate.
  public var pitch: Float
  /// Whether it repeats.
  public var loops: Bool
  /// How it rises; its first frame is at full gain unless told otherwise.
  public var fadeIn = Fade.none
  /// The frame of the sound that it begins with.
  public var sourceFrame: Int64 = 0
  /// A voice of the same sound at whose place it begins instead.
  public var alignedWith: VoiceID?
  /// The bus it plays on.
  public var bus: Bus
}

/// What is in memory from loading on.
public enum ResidentSound: Hashable, Sendable {
  /// A sound of a pack.
  case sound(AssetKey)
  /// A file that patterns of a pack name, by its path inside the pack.
  case waveform(AssetKey, SoundPart)
  /// The steady tone that AHAP's AudioContinuous is played with, of `hapticToneFrequency`.
  case hapticTone(SoundPart)
}

/// Of AHAP's AudioContinuous, where AudioPitch is 0, in Hz: low enough to go with what is felt, and a whole number of
/// frames at every usual rate. Core Haptics does not tell its own.
public let hapticToneFrequency = 200

/// A name inside a pack.
public struct AssetKey: Hashable, Sendable {
  /// The pack's name.
  public var pack: String
  /// The name inside the pack.
  public var name: String

  /// The asset `name` of `pack`.
  public init(pack: String, name: String) {
    self.pack = pack
    self.name = name
  }

  /// As clients spell it: bare in the active pack, else `pack:name`.
  public func spelled(activePack: String?) -> String { pack == activePack ? name : pack + ":" + name }
}
