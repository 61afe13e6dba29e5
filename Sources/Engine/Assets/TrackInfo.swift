// SPDX-License-Identifier: Apache-2.0

/// What the engine knows of a track: lengths in frames of the engine's rate.
public struct TrackInfo: Sendable, Equatable {
  /// The whole length.
  public var frames: Int64
  /// Where it repeats.
  public var loop: LoopRegion
  /// Frames from its beginning that are in memory: from further on a stream needs time to get there.
  public var headFrames: Int64
  /// What is played together with it, in the order in which the mixer counts them.
  public var stems: [Stem]

  /// A part of a track that has a gain of its own.
  public struct Stem: Sendable, Equatable {
    /// What it is called.
    public var name: String
    /// Linear, as the pack has it.
    public var gain: Float

    /// A stem of that name and gain.
    public init(name: String, gain: Float) {
      self.name = name
      self.gain = gain
    }
  }

  /// A track of `frames` that repeats over `loop`, with its first `headFrames` at hand.
  public init(frames: Int64, loop: LoopRegion, headFrames: Int64, stems: [Stem] = []) {
    self.frames = frames
    self.loop = loop
    self.headFrames = headFrames
    self.stems = stems
  }
}

/// The part of a track that repeats: from `start` up to, not including, `end`.
public struct LoopRegion: Sendable, Equatable {
  /// The first frame of the part.
  public var start: Int64
  /// The frame after its last.
  public var end: Int64

  /// The part of `start..<end`.
  public init(start: Int64, end: Int64) {
    self.start = start
    self.end = end
  }

  /// The frame of the track that sounds after `unwrapped` frames of playing.
  public func wrap(_ unwrapped: Int64) -> Int64 {
    guard end > start, unwrapped >= end else { return unwrapped }
    return start + (unwrapped - start) % (end - start)
  }
}
