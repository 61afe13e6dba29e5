// SPDX-License-Identifier: Apache-2.0

/// A second-order delay-locked loop: from noisy readings of when frames are heard to a straight line through them.
///
/// F. Adriaensen, "Using a DLL to filter time" (2005): with w = 2 pi B T, the phase takes sqrt(2) w and the slope w^2 of
/// each residual. B starts at 2 Hz to lock quickly and falls to 0.05 Hz, where it averages over some seconds.
public struct DelayLockedLoop: Sendable, BitwiseCopyable {
  /// Bandwidth in hertz right after a start or a jump.
  public static var widestBandwidth: Double { @_noLocks get { 2 } }
  /// Bandwidth in hertz once settled.
  public static var narrowestBandwidth: Double { @_noLocks get { 0.05 } }

  /// The last frame filtered.
  public private(set) var frame: Int64
  /// Length of one frame in nanoseconds as filtered; within 1 % of nominal.
  public private(set) var nanosecondsPerFrame: Double
  /// The present bandwidth in hertz.
  public private(set) var bandwidth: Double

  // The filtered instant of `frame`: whole nanoseconds and a rest, for a Double alone loses them within months.
  private var whole: Int64
  private var rest: Double
  private let nominal: Double

  /// A loop through `frame` heard at `instant`, expecting `rate` frames a second (at least 1).
  @_noLocks public init(frame: Int64, instant: Instant, rate: Int) {
    self.frame = frame
    self.whole = instant.nanoseconds
    self.rest = 0
    self.nominal = 1e9 / Double(rate)
    self.nanosecondsPerFrame = nominal
    self.bandwidth = DelayLockedLoop.widestBandwidth
  }

  /// The filtered instant of `frame`.
  public var instant: Instant {
    @_noLocks get { Instant(nanoseconds: whole) + Interval(nanoseconds: saturatingRound(rest)) }
  }

  /// How much later than predicted `next` is said to be heard, in nanoseconds.
  @_noLocks public func residual(ofFrame next: Int64, heardAt measured: Instant) -> Double {
    let elapsed = Double(saturatingSubtract(next, frame)) * nanosecondsPerFrame
    return Double(saturatingSubtract(measured.nanoseconds, whole)) - (rest + elapsed)
  }

  /// Moves on to `next` (after `frame`) and lets `residual` (nanoseconds; 0 to coast) correct phase and slope.
  @_noLocks public mutating func advance(toFrame next: Int64, residual: Double) {
    let frames = Double(saturatingSubtract(next, frame))
    guard frames > 0 else { return }
    let seconds = frames * nominal / 1e9
    // Beyond 1/4 the loop would ring; periods that long need less filtering anyway.
    let w = min(2 * Double.pi * bandwidth * seconds, 0.25)
    rest += frames * nanosecondsPerFrame + 1.4142135623730951 * w * residual
    nanosecondsPerFrame += w * w * residual / frames
    nanosecondsPerFrame = max(nominal * 0.99, min(nominal * 1.01, nanosecondsPerFrame))
    frame = next
    carryWholeNanoseconds()
    // Halving takes 1.4 s, so that 0.05 Hz is reached some 7 s after the start.
    let decay = 1 - min(seconds / 2, 0.5)
    bandwidth = max(DelayLockedLoop.narrowestBandwidth, bandwidth * decay)
  }

  /// Goes through `instant` at `next`, keeping the slope, and widens the bandwidth again.
  @_noLocks public mutating func jump(toFrame next: Int64, heardAt instant: Instant) {
    frame = next
    whole = instant.nanoseconds
    rest = 0
    bandwidth = DelayLockedLoop.widestBandwidth
  }

  /// Calls the last frame `frames` later: so many were passed over.
  @_noLocks public mutating func renumber(by frames: Int64) { frame = saturatingAdd(frame, frames) }

  @_noLocks private mutating func carryWholeNanoseconds() {
    let carry = saturatingRound(rest)
    whole = saturatingAdd(whole, carry)
    rest -= Double(carry)
  }
}
