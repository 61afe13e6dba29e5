import Glibc
import Wire

/// Pads that go away, come back, or say nothing.
extension HapticChecks {
  /// Unplugged in the middle of a pattern and back: it is told what the pattern is at by then, and no moment of that
  /// pattern is like another.
  mutating func replug(_ report: inout Report) throws {
    let points = try MotorPoints("swell")
    let played = try play("swell", at: monotonicUs() + 100_000)
    try daemon.listen(until: played.scheduledUs + 500_000)
    pad.unplug()
    try daemon.listen(until: played.scheduledUs + 900_000)
    pad = try PluggedPad("haptics-again")
    let endUs = played.scheduledUs + 3_000_000
    try daemon.listen(until: endUs + 250_000)
    let history = pad.takeHistory()
    let comparison = compared(history, points, playedAt: played.scheduledUs)
    let rejoined = (history.turning.first?.lowerBound ?? .max / 2) + leadUs - played.scheduledUs
    report.check(
      "replugged: rejoins at the right place", !history.spans.isEmpty && comparison.stray == nil,
      "\(history.spans.count) updates as the oracle says" + described(comparison.stray))
    report.check(
      "replugged: rejoins soon", rejoined < 2_500_000, timed: true, "\(milliseconds(rejoined)) into the pattern")
    let late = history.silentFromUs + leadUs - endUs
    report.check(
      "replugged: ends with the pattern", abs(late) < Self.jitterUs + Self.intervalUs, timed: true,
      "\(milliseconds(late)) after its end")
  }

  /// A pad that answers no upload holds up nobody but itself: neither the daemon nor another pad.
  func stuck(_ report: inout Report) throws {
    let other = try PluggedPad("haptics-other")
    try wait(upTo: 5, for: "the second pad") {
      try daemon.status().haptics.count { $0.kind == "evdev" && $0.state == .ready } == 2
    }
    _ = pad.takeHistory()
    pad.answers(false)
    let points = try MotorPoints("swell")
    let played = try play("swell", at: monotonicUs() + 100_000)
    var waits: [Int64] = []
    while monotonicUs() < played.scheduledUs + 3_250_000 {
      let before = monotonicUs()
      _ = try daemon.now()
      waits.append(monotonicUs() - before)
      try daemon.listen(until: before + 20_000)
      if monotonicUs() > played.scheduledUs + 1_500_000 { pad.answers(true) }
    }
    report.check(
      "stuck pad: the daemon answers", Distribution(waits).median < 10_000, timed: true,
      "\(waits.count) times within \(Distribution(waits))")
    check("stuck pad: another feels", other.takeHistory(), points, playedAt: played.scheduledUs, &report)
    let again = pad.takeHistory()
    let late = again.silentFromUs + leadUs - played.scheduledUs - 3_000_000
    report.check(
      "stuck pad: goes on when it answers", !again.spans.isEmpty && abs(late) < Self.jitterUs + Self.intervalUs,
      timed: true, "\(again.spans.count) updates, ends \(milliseconds(late)) after the pattern's end")
    other.unplug()
  }
}
