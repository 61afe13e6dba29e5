// SPDX-License-Identifier: Apache-2.0

/// What became of one measurement.
public enum MeasurementOutcome: Equatable, Sendable, BitwiseCopyable {
  /// Taken into the estimate.
  case accepted
  /// Beyond the gate: the estimate coasted.
  case outlier
  /// The device moved for good: the timeline went over to the measurements, later by this much than it was.
  case jumped(Interval)
}

/// From one reading a period ("this frame will be heard at that instant") to an `AudioTimeline` with an honest bound.
///
/// Readings beyond a gate, scaled to the spread of those before, are ignored, unless they persist and agree.
public struct TimelineEstimator: Sendable, BitwiseCopyable {
  private var loop: DelayLockedLoop
  private let rate: Int
  private let biasFloor: Double
  private var count: Int64 = 0
  /// Mean absolute residual in nanoseconds, over about 4 s.
  private var spread: Double = 0
  private var falseStarts = 0
  private var outliers: Int64 = 0
  private var firstOutlier: Double = 0
  private var outliersSince: Int64 = 0

  /// Readings before the gate closes and the bound is drawn from the spread.
  private static var warmUp: Int64 { @_noLocks get { 32 } }
  /// Gate half-width in mean absolute residuals: 4.8 sigma of a Gaussian, all of a uniform.
  private static var gateWidth: Double { @_noLocks get { 6 } }
  /// Least gate half-width: below it a reading is as good as exact.
  private static var gateFloor: Double { @_noLocks get { 20_000 } }

  /// A residual this large while warming up, in nanoseconds, is a device that had not settled yet: it would bend the
  /// slope for seconds.
  private static var falseStart: Double { @_noLocks get { 3_000_000 } }
  /// False starts in a row, so that a device whose jitter is as large is followed all the same.
  private static var falseStartLimit: Int { @_noLocks get { 4 } }

  /// An estimator whose first reading says that `frame` is heard at `instant`, at nominally `rate` frames a second.
  ///
  /// `biasFloor` is what the device's readings may be wrong by without showing it (the step of its position counter).
  @_noLocks public init(frame: Int64, instant: Instant, rate: Int, biasFloor: Interval) {
    loop = DelayLockedLoop(frame: frame, instant: instant, rate: rate)
    self.rate = rate
    self.biasFloor = Double(biasFloor.nanoseconds)
  }

  /// The line through the last reading as filtered.
  ///
  /// The bound is the bias floor and four times the mean absolute residual: filtered noise is a small part of that, the
  /// rest covers the bias of one-sided readings, whose mean the loop cannot tell from a longer delay (a step pattern of
  /// three phases hides up to three times its mean absolute residual).
  public var timeline: AudioTimeline {
    @_noLocks get {
      let early = count < TimelineEstimator.warmUp ? 1_000_000.0 : 0
      return AudioTimeline(
        frame: loop.frame, instant: loop.instant, nanosecondsPerFrame: loop.nanosecondsPerFrame,
        errorBound: Interval(nanoseconds: saturatingRound(biasFloor + 4 * spread + early)))
    }
  }

  /// Whether there were readings enough since the start to tell a jump of the device from its settling.
  public var isSettled: Bool { @_noLocks get { count >= TimelineEstimator.warmUp } }

  /// Takes in that `frame` (after the one before, else ignored) will be heard at `instant`.
  @_noLocks public mutating func measure(frame: Int64, heardAt instant: Instant) -> MeasurementOutcome {
    let elapsed = saturatingSubtract(frame, loop.frame)
    guard elapsed > 0 else { return .outlier }
    let residual = loop.residual(ofFrame: frame, heardAt: instant)
    let size = abs(residual)
    if count < TimelineEstimator.warmUp && falseStarts < TimelineEstimator.falseStartLimit
      && size > TimelineEstimator.falseStart
    {
      falseStarts += 1
      loop = DelayLockedLoop(frame: frame, instant: instant, rate: rate)
      count = 0
      spread = 0
      return .jumped(Interval(nanoseconds: saturatingRound(residual)))
    }
    let gate = max(TimelineEstimator.gateFloor, TimelineEstimator.gateWidth * spread)
    let isOutlier = count >= TimelineEstimator.warmUp && size > gate
    widen(by: isOutlier ? gate : size, seconds: Double(elapsed) / Double(rate))
    count += 1
    guard isOutlier else {
      outliers = 0
      loop.advance(toFrame: frame, residual: residual)
      return .accepted
    }
    if hasJumped(residual: residual, gate: gate, frame: frame) {
      loop.jump(toFrame: frame, heardAt: instant)
      outliers = 0
      return .jumped(Interval(nanoseconds: saturatingRound(residual)))
    }
    loop.advance(toFrame: frame, residual: 0)
    return .outlier
  }

  /// After a gap or a change of device: passes through this reading, keeping the slope. Returns how much later than
  /// predicted it is.
  @_noLocks public mutating func restart(frame: Int64, heardAt instant: Instant) -> Interval {
    let residual = loop.residual(ofFrame: frame, heardAt: instant)
    loop.jump(toFrame: frame, heardAt: instant)
    outliers = 0
    falseStarts = 0
    count = 0
    return Interval(nanoseconds: saturatingRound(residual))
  }

  /// Frames from now on have numbers `frames` higher: so many were passed over.
  @_noLocks public mutating func renumber(by frames: Int64) { loop.renumber(by: frames) }

  /// The mean is plain at first and exponential over 4 s later.
  @_noLocks private mutating func widen(by size: Double, seconds: Double) {
    let share = max(1 / Double(count + 1), min(seconds / 4, 1))
    spread += share * (size - spread)
  }

  /// Outliers that agree within a gate for 100 ms and at least 8 readings are the device's new truth.
  @_noLocks private mutating func hasJumped(residual: Double, gate: Double, frame: Int64) -> Bool {
    if outliers == 0 || abs(residual - firstOutlier) > gate {
      outliers = 0
      firstOutlier = residual
      outliersSince = frame
    }
    outliers += 1
    return outliers >= 8 && frame - outliersSince >= Int64(rate / 10)
  }
}
