// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// What was told to pads, judged by the profile for those that nobody knows.
struct PadJudge {
  /// The least time between updates.
  static let intervalUs: Int64 = 16_000
  /// The drive at which a motor turns.
  static let floor = 0.08
  /// How long an effect lasts.
  static let lengthMs = 150
  /// What the guest's own scheduling may add: all sets of pads are judged while others play.
  static let jitterUs: Int64 = 3_000

  /// How long before it is felt a pad is told.
  let leadUs: Int64

  /// Every update is what the oracle says, in time; nothing is missed, nothing is felt that was not asked for.
  func check(
    _ name: String, _ history: MotorHistory, of pad: PluggedPad, _ points: MotorPoints, playedAt scheduledUs: Int64,
    _ report: inout Report
  ) {
    let comparison = compared(history, of: pad, points, playedAt: scheduledUs)
    report.check(
      "\(name): as the oracle says", !history.spans.isEmpty && comparison.stray == nil,
      "\(history.spans.count) updates, each the peak of its interval" + described(comparison.stray))
    let lateness = Distribution(comparison.lateness.compactMap { $0 })
    let missed = comparison.missed(within: Self.jitterUs)
    let spurious = comparison.spurious(within: Self.jitterUs)
    report.check(
      "\(name): in time", lateness.worst <= Self.jitterUs && missed == 0 && spurious == 0,
      "updates late by \(lateness); \(missed) ms missed, \(spurious) ms too many of \(points.points.count) ms")
  }

  func compared(
    _ history: MotorHistory, of pad: PluggedPad, _ points: MotorPoints, playedAt scheduledUs: Int64
  ) -> OracleComparison {
    OracleComparison(
      points: pad.kind.isSingle ? points.single : points, history: history, zeroUs: scheduledUs - leadUs,
      intervalUs: Self.intervalUs)
  }

  func described(_ stray: MotorHistory.Span?) -> String {
    stray.map { "; but not \(told($0.motors)) at \($0.fromUs) us" } ?? ""
  }

  /// strong = I cos(pi S / 2), weak = I sin(pi S / 2), each raised above the motor's floor, at most a 255th more; a pad
  /// with one strength is given the stronger.
  func checkLaw(
    _ name: String, _ span: MotorHistory.Span, of pad: PluggedPad, intensity: Double, sharpness: Double,
    _ report: inout Report
  ) {
    let angle = Double.pi / 2 * sharpness
    let both = Self.floor + (1 - Self.floor) * intensity * SIMD2(cos(angle), sin(angle))
    let wanted = pad.kind.isSingle ? SIMD2(repeating: both.max()) : both
    let more = span.motors - wanted
    report.check(
      name, !any(more .< -0.0005) && !any(more .> 0.0045),
      "\(told(span.motors)) where the law says \(told(wanted))")
  }

  private func told(_ motors: SIMD2<Double>) -> String {
    let shares = (0..<2).map { Double(Int((motors[$0] * 10_000).rounded())) / 10_000 }
    return "strong \(shares[0]), weak \(shares[1])"
  }

  /// All that a pad was given: one effect of its own kind, finite, as strong throughout, at full gain; updates that are an
  /// interval apart, and renewals in time.
  func checkEffects(_ pad: PluggedPad, _ report: inout Report) {
    report.part = pad.name
    let events = pad.events
    let effects = events.compactMap { if case .upload(_, let effect) = $0 { effect } else { nil } }
    // To learn what the kernel makes of a rumble, the first is one everywhere.
    let strays = effects.dropFirst(pad.kind == .periodic ? 1 : 0).filter { effect in
      effect.kind != pad.kind.played || effect.lengthMs != Self.lengthMs || effect.delayMs != 0 || !effect.isSteady
        || effect.direction != (pad.kind.isSingle ? 0x4000 : 0)
        || (pad.kind == .periodic && (effect.waveform != FF_SINE || effect.periodMs != 10))
    }
    report.check(
      "effects are finite, steady and of its kind", !effects.isEmpty && strays.isEmpty,
      "\(effects.count) uploads" + (strays.first.map { "; but not \($0.line)" } ?? " of \(Self.lengthMs) ms"))
    let ids = Set(effects.map(\.id))
    report.check("one effect is kept", ids.count == 1, "ids \(ids.sorted())")
    let gains = events.compactMap { if case .gain(_, let gain) = $0 { gain } else { nil } }
    report.check("gain", gains == (pad.kind.hasGain ? [0xFFFF] : []), "it was told \(gains)")

    let history = MotorHistory(events)
    let apart = zip(history.playsUs, history.playsUs.dropFirst()).map { $1 - $0 }
    // The daemon counts from after a write, so no lateness excuses less.
    report.check(
      "updates are apart", (apart.min() ?? 0) >= Self.intervalUs,
      "\(history.playsUs.count) updates, closest \(milliseconds(apart.min() ?? 0))")
    let unrenewed =
      zip(history.spans, history.spans.dropFirst())
      .filter { $0.toUs >= $1.fromUs - 1_000 }.map { $1.fromUs - $0.fromUs }.max() ?? 0
    report.check(
      "renewed at half life", unrenewed <= Int64(Self.lengthMs) * 500 + Self.jitterUs,
      "the longest without an update took \(milliseconds(unrenewed))")
  }

  func checkSilence(
    _ name: String, _ history: MotorHistory, since instantUs: Int64, withinUs: Int64 = intervalUs + 2 * jitterUs,
    _ report: inout Report
  ) {
    let after = history.silentFromUs - instantUs
    report.check(
      name, !history.spans.isEmpty && after < withinUs,
      "motors stand still \(milliseconds(after)) later")
  }

  /// The motors stand still when the pattern is over, and not before.
  func checkEnd(_ name: String, _ history: MotorHistory, _ endUs: Int64, _ report: inout Report) {
    let late = history.silentFromUs + leadUs - endUs
    report.check(
      name, !history.spans.isEmpty && abs(late) < Self.jitterUs + Self.intervalUs,
      "\(history.spans.count) updates, the last ends \(milliseconds(late)) after the pattern")
  }
}

extension MotorHistory {
  /// How long after another's motors these began to turn, time by time; nothing where they did not turn as often.
  func onsets(after other: MotorHistory) -> [Int64] {
    let (own, others) = (turning, other.turning)
    return own.count == others.count ? zip(own, others).map { $0.lowerBound - $1.lowerBound } : []
  }
}
