// SPDX-License-Identifier: Apache-2.0

import GamePacks
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
  /// For the clients that subscribed; with whose line it goes back to.
  case notify(OutgoingNotification, Cause?)
}

/// One step of an audio batch. Frames are absolute output frames.
public enum AudioStep {
  /// Starts a track, whose stream is opened for it, or a sound.
  case start(VoiceStart<NamedSource>)
  /// A command about voices that exist, or about buses.
  case command(MixerCommand)
  /// One of the many by which what plays is steered, the end of a sound of a pattern included: they keep their order among
  /// each other, and give way to all else.
  case steer(MixerCommand)
}

/// What a voice plays, by name.
public enum NamedSource: Hashable, Sendable {
  /// A track, streamed from its file.
  case track(LoadedKey, loops: Bool)
  /// A sound in memory.
  case resident(ResidentSound, loops: Bool)
}

/// What is in memory from loading on.
public enum ResidentSound: Hashable, Sendable {
  /// A sound of a pack.
  case sound(LoadedKey)
  /// A file that patterns of a pack name, by its path inside the pack.
  case waveform(LoadedKey, SoundPart)
  /// The steady tone that AHAP's AudioContinuous is played with, of `hapticToneFrequency`.
  case hapticTone(SoundPart)
}

/// Of AHAP's AudioContinuous, where AudioPitch is 0, in Hz: low enough to go with what is felt, and a whole number of
/// frames at every usual rate. Core Haptics does not tell its own.
public let hapticToneFrequency = 200
