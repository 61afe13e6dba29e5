// SPDX-License-Identifier: Apache-2.0

import Timing

/// What a device's readings of its position say of the plan, from its start on: pure.
///
/// A device is watched for a while before it is believed. From then on the timeline is its own.
public struct DeviceClock: Sendable, BitwiseCopyable {
  /// What a reading comes to.
  public enum Outcome: Equatable, Sendable, BitwiseCopyable {
    /// It has not been watched for long enough: the plan stands.
    case watching
    /// It takes frames as fast as they come, and the clock must pace it.
    case unpaced
    /// The plan is the device's, later by `correction` than it was. `ranDry` where it fell behind by more than 1 ms though
    /// it had long been followed, and may have been short of frames: it was and did not say so.
    case followed(correction: Interval, ranDry: Bool)
  }

  /// Whether it has been watched for long enough to replace the plan.
  public private(set) var isTrusted = false
  private var estimator: TimelineEstimator
  private var detector: PacingDetector

  /// A device of `bufferFrames` frames that has just started at `now`; `frame`, the next it is given, is heard at
  /// `instant`. `biasFloor` is what its readings may be wrong by without showing it.
  @_noLocks public init(
    frame: Int64, heardAt instant: Instant, rate: Int, bufferFrames: Int, biasFloor: Interval, startedAt now: Instant
  ) {
    estimator = TimelineEstimator(frame: frame, instant: instant, rate: rate, biasFloor: biasFloor)
    detector = PacingDetector(rate: rate, bufferFrames: bufferFrames, startedAt: now)
  }

  /// The plan as the device's readings have it.
  public var timeline: AudioTimeline { @_noLocks get { estimator.timeline } }

  /// It started anew at `now`.
  @_noLocks public mutating func start(rate: Int, bufferFrames: Int, at now: Instant) {
    detector = PacingDetector(rate: rate, bufferFrames: bufferFrames, startedAt: now)
    isTrusted = false
  }

  /// `frame`, the next it is given, is heard at that instant, as planned.
  @_noLocks public mutating func align(frame: Int64, heardAt instant: Instant) {
    _ = estimator.restart(frame: frame, heardAt: instant)
    isTrusted = false
  }

  /// Takes in, at `now`, that `frame` is heard at `instant` and that it has played `played` frames since its start;
  /// `plan` is what was announced so far, and `wasLow` says whether it may have been short of frames lately.
  @_noLocks public mutating func measure(
    frame: Int64, heardAt instant: Instant, played: Int64, wasLow: Bool, plan: AudioTimeline, at now: Instant
  ) -> Outcome {
    let wasSettled = estimator.isSettled
    let outcome = estimator.measure(frame: frame, heardAt: instant)
    guard isTrusted else {
      if detector.isUnpaced(framesPlayed: played, at: now) { return .unpaced }
      isTrusted = detector.isSettled(at: now)
      guard isTrusted else { return .watching }
      return .followed(
        correction: estimator.timeline.instant(ofFrame: frame) - plan.instant(ofFrame: frame), ranDry: false)
    }
    guard case .jumped(let correction) = outcome else { return .followed(correction: .zero, ranDry: false) }
    return .followed(correction: correction, ranDry: wasLow && wasSettled && correction > .milliseconds(1))
  }

  /// So many frames were passed over: those from now on have higher numbers.
  @_noLocks public mutating func renumber(by frames: Int64) { estimator.renumber(by: frames) }
}
