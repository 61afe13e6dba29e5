// SPDX-License-Identifier: Apache-2.0

import Timing

/// Notices a PCM that plays frames as fast as they come (`null`, `file` over it) instead of at its rate.
public struct PacingDetector: Sendable, BitwiseCopyable {
  /// How long a PCM is watched before its readings are believed.
  public static var probation: Interval { @_noLocks get { Interval.milliseconds(100) } }

  private let rate: Int
  private let allowance: Int64
  private let start: Instant

  /// Watches a PCM of `bufferFrames` frames, started at `instant`.
  @_noLocks public init(rate: Int, bufferFrames: Int, startedAt instant: Instant) {
    self.rate = rate
    // A PCM that does not know its delay at first may seem a buffer ahead, and a sound server's clock is coarse.
    allowance = Int64(2 * bufferFrames + rate / 50)
    start = instant
  }

  /// Whether a PCM that says it has played `frames` frames since its start is far ahead of the clock.
  @_noLocks public func isUnpaced(framesPlayed frames: Int64, at now: Instant) -> Bool {
    frames > (now - start).frames(rate: rate) + allowance
  }

  /// Whether it has been watched for long enough.
  @_noLocks public func isSettled(at now: Instant) -> Bool { now - start >= PacingDetector.probation }
}
