import Glibc

/// What was told to a pad, judged.
extension HapticChecks {
  /// Every update is what the oracle says, in time; nothing is missed, nothing is felt that was not asked for.
  func check(
    _ name: String, _ history: MotorHistory, _ points: MotorPoints, playedAt scheduledUs: Int64, _ report: inout Report
  ) {
    let comparison = compared(history, points, playedAt: scheduledUs)
    report.check(
      "\(name): as the oracle says", !history.spans.isEmpty && comparison.stray == nil,
      "\(history.spans.count) updates, each the peak of its interval" + described(comparison.stray))
    let lateness = Distribution(comparison.lateness.compactMap { $0 })
    let missed = comparison.missed(within: Self.jitterUs)
    let spurious = comparison.spurious(within: Self.jitterUs)
    report.check(
      "\(name): in time", lateness.worst <= Self.jitterUs && missed == 0 && spurious == 0, timed: true,
      "updates late by \(lateness); \(missed) ms missed, \(spurious) ms too many of \(points.points.count) ms")
  }

  func compared(_ history: MotorHistory, _ points: MotorPoints, playedAt scheduledUs: Int64) -> OracleComparison {
    OracleComparison(points: points, history: history, zeroUs: scheduledUs - leadUs, intervalUs: Self.intervalUs)
  }

  func described(_ stray: MotorHistory.Span?) -> String {
    stray.map { "; but not strong \($0.strong), weak \($0.weak) at \($0.fromUs) us" } ?? ""
  }

  /// strong = I cos(pi S / 2), weak = I sin(pi S / 2), each raised above the motor's floor, at most a 255th more.
  func checkLaw(
    _ name: String, _ span: MotorHistory.Span, intensity: Double, sharpness: Double, _ report: inout Report
  ) {
    let angle = Double.pi / 2 * sharpness
    let wanted = [cos(angle), sin(angle)].map { Self.floor + (1 - Self.floor) * intensity * $0 }
    let got = [span.strong, span.weak].map { Double($0) / 65_535 }
    let differences = zip(got, wanted).map { $0 - $1 }
    report.check(
      name, differences.allSatisfy { (-0.0005...0.0045).contains($0) },
      "strong \(span.strong), weak \(span.weak) where the law says "
        + wanted.map { "\(Int(($0 * 65_535).rounded()))" }.joined(separator: ", "))
  }

  func checkSilence(
    _ name: String, _ history: MotorHistory, since instantUs: Int64, withinUs: Int64 = intervalUs + 2 * jitterUs,
    _ report: inout Report
  ) {
    let after = history.silentFromUs - instantUs
    report.check(
      name, !history.spans.isEmpty && after < withinUs, timed: true,
      "motors stand still \(milliseconds(after)) later")
  }
}
