// SPDX-License-Identifier: Apache-2.0

/// What is driven from outside besides what voices and buses are told themselves: it acts on top of that.
public enum DrivenTarget: Hashable, Sendable, BitwiseCopyable {
  /// The gain of all voices of a family, linear.
  case familyGain(Int32)
  /// The speed of all voices of a family that play what is resident, as a factor; changed from one frame to the next.
  case familyPitch(Int32)
  /// The gain of a bus, linear.
  case busGain(Bus)
  /// How many octaves below 20 kHz the low-pass of a bus has its corner, as a number below 0; 0 is open, which changes no bit.
  case lowPass(Bus)
}

/// Voices that are driven together, such as all playings of a sound.
struct VoiceFamily: BitwiseCopyable {
  var gain = Ramp(steady: 1)
  var pitch: Float = 1

  @_noLocks init() {}

  /// Whether samples pass unchanged from `frame` on.
  @_noLocks func isUnity(at frame: Int64) -> Bool { gain.to == 1 && !gain.isMoving(at: frame) }
}
