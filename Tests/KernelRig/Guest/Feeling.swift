// SPDX-License-Identifier: Apache-2.0

/// A pattern from end to end on a set of pads at once, each held against the oracle's points, and against the others.
struct Feeling {
  let pattern: String
  let set: PadSet
  let points: MotorPoints
  let scheduledUs: Int64

  /// Asks for it.
  init(_ pattern: String, on set: PadSet, of daemon: Daemon, at instantUs: Int64) throws {
    (self.pattern, self.set) = (pattern, set)
    points = try MotorPoints(pattern)
    scheduledUs = try daemon.play(pattern, on: set.name, at: instantUs).scheduledUs
  }

  /// When nothing of it is left to be felt.
  var endUs: Int64 { scheduledUs + Int64(points.points.count) * 1_000 }

  func check(_ histories: [MotorHistory], _ judge: PadJudge, _ report: inout Report) {
    for (pad, history) in zip(set.all, histories) {
      report.part = pad.name
      judge.check(pattern, history, of: pad, points, playedAt: scheduledUs, &report)
    }
    report.part = "together"
    for (pad, history) in zip(set.all, histories).dropFirst() {
      let apart = history.onsets(after: histories[0])
      report.check(
        "\(pattern) on \(set.rumble.name) and \(pad.name)",
        !apart.isEmpty && abs(Distribution(apart).worst) < PadJudge.jitterUs,
        "\(apart.count) times one begins after the other by \(Distribution(apart))")
    }
  }
}
