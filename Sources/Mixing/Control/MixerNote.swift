// SPDX-License-Identifier: Apache-2.0

/// What a mixer notes of itself where it is to be done again (`MixerConfiguration.keepsNotes`): the calls that were made of it,
/// in order, and what of all that lay ready they took. With the same commands the same calls give the same samples.
public enum MixerNote: Equatable, Sendable, BitwiseCopyable {
  /// So many calls in a row rendered `frames` frames each, and took nothing.
  case rendered(frames: Int64, times: Int64)
  /// One call that took so many of the commands and pauses that it found.
  case took(MixerCall, frames: Int64, commands: Int64, pauses: Int64)
  /// Frames passed by `Mixer.rest`.
  case rested(frames: Int64)
  /// `Mixer.fadeIn`.
  case fadedIn
  /// In the call that is noted next a voice that has too little of its stream, or is behind, saw so much of it, before that
  /// frame was mixed.
  case saw(VoiceID, at: Int64, end: Int64, isComplete: Bool)
  /// What the samples of a second came to: that second of the output, from 0. Silence is not told.
  case heard(second: Int64, UInt64)
}

/// What frames were asked for.
public enum MixerCall: UInt8, Sendable, BitwiseCopyable {
  /// To be heard.
  case render
  /// To pass unheard.
  case skip
}
