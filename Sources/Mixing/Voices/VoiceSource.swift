// SPDX-License-Identifier: Apache-2.0

/// Samples that are all in memory: interleaved stereo at the engine's rate.
///
/// Whoever starts a voice keeps them until the voice's `finished` event.
public struct ResidentSource: BitwiseCopyable {
  /// `2 * frames` of them.
  public var samples: Samples
  /// Length in frames.
  public var frames: Int
  /// First frame of the loop; see `loopEnd`.
  public var loopStart: Int
  /// Frame after the loop's last. No more than `loopStart`: the source ends at its end instead.
  public var loopEnd: Int

  /// A source of that many frames. With a loop, playback goes from `loop.upperBound` back to `loop.lowerBound` for ever;
  /// a loop that does not lie inside the source is cut to it.
  public init(samples: Samples, frames: Int, loop: Range<Int>? = nil) {
    self.samples = samples
    self.frames = max(frames, 0)
    loopStart = max(loop?.lowerBound ?? 0, 0)
    loopEnd = min(loop?.upperBound ?? 0, self.frames)
  }

  var loops: Bool { @_noLocks get { loopEnd > loopStart } }
}

/// Where a voice's samples come from.
public enum VoiceSource: BitwiseCopyable {
  /// From memory.
  case resident(ResidentSource)
  /// From a ring that a decoder fills. Its first frame is the voice's first; one voice to a ring.
  case stream(UnsafeMutablePointer<StreamRing>)
}
