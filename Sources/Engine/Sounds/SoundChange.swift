// SPDX-License-Identifier: Apache-2.0

import Mixing

/// What a sound that plays is changed to; nil stays as it is.
struct SoundChange {
  /// Linear, the pack's own included, and how it gets there.
  var gain: (to: Float, fade: Fade)?
  /// -1 left ... 1 right.
  var pan: Float?
  /// Playback rate.
  var pitch: Float?

  /// How many steps that is.
  var count: Int { (gain == nil ? 0 : 1) + (pan == nil ? 0 : 1) + (pitch == nil ? 0 : 1) }

  /// What the mixer is told of it.
  func steps(of voice: VoiceID, at frame: Int64) -> [AudioStep] {
    let commands: [MixerCommand?] = [
      gain.map { .gain(voice, to: $0.to, at: frame, fade: $0.fade) }, pan.map { .pan(voice, to: $0, at: frame) },
      pitch.map { .pitch(voice, to: $0, at: frame) },
    ]
    return commands.compactMap { $0.map(AudioStep.command) }
  }
}
