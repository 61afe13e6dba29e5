// SPDX-License-Identifier: Apache-2.0

/// How a cue plays a sound.
public struct CueSound: Equatable, Sendable {
  /// The sound, or several, of which a firing plays one.
  public var sound: CueChoice
  /// Linear, on top of the sound's own; anything in between.
  public var gain: ClosedRange<Double>
  /// -1 left ... 1 right.
  public var pan: Double
  /// Playback rate; anything in between.
  public var pitch: ClosedRange<Double>
  /// Whether it repeats until it is stopped.
  public var loops: Bool
  /// How the music steps back under this playing of it; nil as the pack's rule for the sound says, if it has one.
  public var duck: PackDuck?
}

extension CueSound {
  init(_ fields: PackFields<PackCue.Step.Keys>) {
    sound = CueChoice(fields, .sound)
    gain = fields.span(.gain)
    pan = fields.optionalNumber(.pan) ?? 0
    pitch = fields.span(.pitch)
    loops = fields.truth(.loop) ?? false
    duck = fields.optional(.duck).map { PackDuck(fields.file, $0) }
  }
}
