// SPDX-License-Identifier: Apache-2.0

/// Which frame of a file is heard at which engine frame of its stream: pure arithmetic, no file.
///
/// The stream of a looping track is endless: `loop` plays again and again behind its first end. Loop length is a whole
/// number of engine frames, so that positions stay exact for ever; where the file's loop is not (44.1 kHz into
/// 48 kHz), each turn begins less than half an engine frame (10 us) off, and always alike.
struct TrackPlan: Hashable, Sendable {
  /// Rates in frames a second.
  let sourceRate: Int
  let engineRate: Int
  let ratio: FrameRatio
  /// Length of the file, in its own and in engine frames.
  let sourceFrames: Int64
  let frames: Int64
  /// The part that repeats, in the file's own and in engine frames.
  let sourceLoop: Range<Int64>?
  let loop: Range<Int64>?

  init(sourceRate: Int, engineRate: Int, sourceFrames: Int64, loop: Range<Int64>?) {
    self.sourceRate = sourceRate
    self.engineRate = engineRate
    self.sourceFrames = sourceFrames
    ratio = FrameRatio(source: sourceRate, engine: engineRate)
    frames = ratio.engineFrames(sourceFrames)
    sourceLoop = loop
    let ratio = self.ratio
    self.loop = loop.map { loop in
      let start = ratio.engineFrames(loop.lowerBound)
      return start..<(start + max(1, ratio.engineFrames(loop.upperBound - loop.lowerBound)))
    }
  }

  /// The frame of the track (0 ..< its length) heard at frame `position` of its stream.
  func trackFrame(at position: Int64) -> Int64 {
    guard let loop, position >= loop.upperBound else { return position }
    return loop.lowerBound + (position - loop.upperBound) % Int64(loop.count)
  }

  /// Frames of the stream, as far as they can be heard: nil when it repeats for ever.
  var streamFrames: Int64? { loop == nil ? frames : nil }

  /// The same file repeated whole instead of played once, or played once instead of repeated.
  var turned: TrackPlan {
    TrackPlan(
      sourceRate: sourceRate, engineRate: engineRate, sourceFrames: sourceFrames,
      loop: loop == nil ? 0..<sourceFrames : nil)
  }

  /// How many frames a head that is to have `wanted` has.
  func headFrames(_ wanted: Int64) -> Int { Int(min(wanted, streamFrames ?? wanted)) }

  /// Whether the first `count` frames are the same by another plan of the file: an end and a loop's seam differ, and the
  /// resampler looks ahead to them by far less than a second.
  func sharesHead(ofFrames count: Int, with other: TrackPlan) -> Bool {
    Int64(count) <= min(loop?.upperBound ?? frames, other.loop?.upperBound ?? frames) - Int64(engineRate)
  }

  /// Whether a turn of the loop begins between two engine frames, so that the resampler has to begin anew in each.
  var loopNeedsRestart: Bool {
    guard let sourceLoop else { return false }
    return !ratio.isWhole(sourceLoop.upperBound - sourceLoop.lowerBound)
  }
}
