// SPDX-License-Identifier: Apache-2.0

/// What a pad was told while a pattern played, held against what the oracle says of it.
///
/// An update is told a lead before it is felt, and may be late; each must be the peak of the interval it begins, to what
/// rounding adds, with its lateness left open. How late they were is then judged apart, as is what was felt when.
struct OracleComparison {
  /// Of an update: a 255th more than asked for, by which pads count, and what a ramp gains within a millisecond.
  static let above = 1.0 / 255 + 0.002
  static let below = 0.0005
  /// No lateness explains more than this.
  static let mostLateUs: Int64 = 100_000

  let points: MotorPoints
  let history: MotorHistory
  /// The instant of CLOCK_MONOTONIC at which the pad is told what is felt at the pattern's start.
  let zeroUs: Int64
  let intervalUs: Int64

  /// How late each update was, as its strength tells; nil where no lateness explains it.
  var lateness: [Int64?] {
    history.spans.map { span in
      let told = span.fromUs - zeroUs
      return stride(from: 0, through: Self.mostLateUs, by: 250).first { late in
        let peak = points.peak(from: told - late, to: told - late + intervalUs)
        // One that follows a late one makes up for what lay between; of a millisecond that it touches, the table does not
        // tell when what is asked for begins.
        let most = points.peak(from: told - 2 * late - 500, to: told - late + intervalUs + 500)
        return !any(span.motors .< peak - Self.below) && !any(span.motors .> most + Self.above)
      }
    }
  }

  /// An update that no lateness explains.
  var stray: MotorHistory.Span? { zip(history.spans, lateness).first { $1 == nil }?.0 }

  /// Milliseconds in which less was felt than asked for within `tolerance` before and after.
  func missed(within tolerance: Int64) -> Int {
    points.points.indices.count { index in
      let at = zeroUs + points.time(of: index)
      let felt = history.strongest(from: at - tolerance, to: at + tolerance)
      return any(felt .< points.points[index] - Self.below)
    }
  }

  /// Milliseconds in which a motor turned though nothing was asked for within `tolerance`, in the interval after or in the
  /// two before: a short tap lasts an interval, and may have had to wait for one.
  func spurious(within tolerance: Int64) -> Int {
    let lengthMs = Int64(points.points.count) + 200
    return (0..<lengthMs).count { millisecond in
      let at = millisecond * 1_000 + 500
      let asked = points.peak(from: at - tolerance - 2 * intervalUs, to: at + tolerance + intervalUs)
      return asked == SIMD2(0, 0) && history.strongest(from: zeroUs + at, to: zeroUs + at + 1) != SIMD2(0, 0)
    }
  }
}
