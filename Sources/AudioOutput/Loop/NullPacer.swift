// SPDX-License-Identifier: Apache-2.0

import Timing

/// When an output without a clock of its own renders: frame by frame on CLOCK_MONOTONIC, on an exact timeline.
public struct NullPacer: Sendable, BitwiseCopyable {
  /// What to do now.
  public enum Step: Equatable, Sendable, BitwiseCopyable {
    /// Nothing before that instant.
    case wait(until: Instant)
    /// Render this many frames.
    case render(frames: Int)
    /// So many frames were missed by more than the tolerance: let them pass unrendered.
    case skip(frames: Int)
  }

  /// The frame at which pacing began, and when it is heard.
  public let anchor: AudioTimeline
  private let rate: Int
  /// Frames rendered at a time.
  public let period: Int
  private let lead: Interval

  /// How late rendering may be before frames are skipped rather than caught up with.
  public static var tolerance: Interval { @_noLocks get { Interval.milliseconds(100) } }

  /// Frame `frame` is heard at `instant`, those after it at exactly `rate` a second. Periods of `period` frames are
  /// rendered `leadFrames` before their first is heard.
  @_noLocks public init(frame: Int64, heardAt instant: Instant, rate: Int, period: Int, leadFrames: Int) {
    anchor = AudioTimeline(frame: frame, instant: instant, rate: rate)
    self.rate = rate
    self.period = period
    lead = Interval.frames(Int64(leadFrames), rate: rate)
  }

  /// When `frame` is heard: whole nanoseconds, rounded down, without drift.
  @_noLocks public func instant(ofFrame frame: Int64) -> Instant {
    anchor.instant + Interval.frames(frame - anchor.frame, rate: rate)
  }

  /// The timeline through `frame`, exact but for the nanosecond.
  @_noLocks public func timeline(through frame: Int64) -> AudioTimeline {
    AudioTimeline(frame: frame, instant: instant(ofFrame: frame), rate: rate)
  }

  /// When `next`, the next frame, is to be rendered.
  @_noLocks public func due(_ next: Int64) -> Instant { instant(ofFrame: next) - lead }

  /// The frame that is next at `now` when `next` is the next frame to be rendered, and all periods due by then are.
  @_noLocks public func next(from next: Int64, at now: Instant) -> Int64 {
    let late = now - due(next)
    if late < .zero { return next }
    var reached = next + late.frames(rate: rate) / Int64(period) * Int64(period)
    while due(reached) <= now { reached += Int64(period) }
    return reached
  }

  /// What to do at `now` when `next` is the next frame to be rendered.
  @_noLocks public func step(next: Int64, now: Instant) -> Step {
    let due = due(next)
    if now < due { return .wait(until: due) }
    let late = now - due
    if late > NullPacer.tolerance { return .skip(frames: Int(late.frames(rate: rate))) }
    return .render(frames: period)
  }
}
