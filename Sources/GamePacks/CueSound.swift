// SPDX-License-Identifier: Apache-2.0

/// How a cue plays a sound.
public struct CueSound: Equatable, Sendable {
  /// The sound.
  public var sound: String
  /// Linear, on top of the sound's own.
  public var gain: Double
  /// -1 left ... 1 right.
  public var pan: Double
  /// Playback rate.
  public var pitch: Double
  /// Whether it repeats until it is stopped.
  public var loops: Bool
  /// How the music steps back under this playing of it; nil as the pack's rule for the sound says, if it has one.
  public var duck: Duck?
}

extension CueSound {
  init(_ fields: PackFields<PackCue.Step.Keys>) {
    sound = fields.name(.sound)
    gain = fields.gain(.gain)
    pan = fields.optionalNumber(.pan, in: -1...1) ?? 0
    pitch = fields.optionalNumber(.pitch, in: 0.25...4) ?? 1
    loops = fields.optional(.loop).map(fields.file.truth) ?? false
    duck = fields.optional(.duck).map { Duck(fields.file, $0) }
  }
}
