// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a sound of a pattern is at one place of it.
public struct HapticAudioLevel: Hashable, Sendable, BitwiseCopyable {
  /// 0...1: volume, its controls and the envelope.
  public var gain: Double
  /// -1 (left) ... 1 (right).
  public var pan: Double
  /// -1 (lowest) ... 1 (highest).
  public var pitch: Double
  /// 0 (dull) ... 1 (as recorded).
  public var brightness: Double

  /// Times as fast as made: Apple gives pitch a range and no unit; here it is an octave down to an octave up.
  public var speed: Double { exp2(pitch) }
}
