// SPDX-License-Identifier: Apache-2.0

/// Which instant each frame is heard at: a straight line through one known pair, as last measured.
///
/// A value, so that a plan made with one reading never sees half of another.
public struct AudioTimeline: Equatable, Sendable, BitwiseCopyable {
  /// A frame of the engine's output, counted from the engine's start and never restarted.
  public var frame: Int64
  /// The instant at which `frame` is heard.
  public var instant: Instant
  /// Length of one frame in nanoseconds, as measured (20833.33 at 48 kHz on a perfect clock).
  public var nanosecondsPerFrame: Double
  /// Half-width of the interval around `instant` that holds the truth 99 % of the time, bias included.
  public var errorBound: Interval

  /// A timeline through `frame` at `instant` with the given slope (above zero) and bound.
  @inlinable @_noLocks public init(
    frame: Int64, instant: Instant, nanosecondsPerFrame: Double, errorBound: Interval
  ) {
    self.frame = frame
    self.instant = instant
    self.nanosecondsPerFrame = nanosecondsPerFrame
    self.errorBound = errorBound
  }

  /// A timeline that runs at exactly `rate` frames a second (at least 1).
  @inlinable @_noLocks public init(frame: Int64, instant: Instant, rate: Int) {
    self.init(
      frame: frame, instant: instant, nanosecondsPerFrame: 1e9 / Double(rate), errorBound: Interval(nanoseconds: 0))
  }

  /// The instant at which `target` is heard, to the nearest nanosecond; saturates at the ends of time.
  @inlinable @_noLocks public func instant(ofFrame target: Int64) -> Instant {
    let frames = Double(saturatingSubtract(target, frame))
    return instant + Interval(nanoseconds: saturatingRound(frames * nanosecondsPerFrame))
  }

  /// The frame heard nearest to `target`; saturates for instants beyond what frames can count.
  @inlinable @_noLocks public func frame(at target: Instant) -> Int64 {
    let frames = saturatingRound(Double((target - instant).nanoseconds) / nanosecondsPerFrame)
    return saturatingAdd(frame, frames)
  }
}
