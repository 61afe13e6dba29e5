import Glibc
import Wire

/// Pads that go away, come back, or say nothing.
extension HapticChecks {
  /// One pad is unplugged in the middle of a pattern and comes back, while another answers no upload. The first is told
  /// what the pattern is at by then, no moment of which is like another; the second holds up nobody but itself.
  mutating func trouble(_ report: inout Report) throws {
    report.part = ""
    let points = try MotorPoints("swell")
    twin.answers(false)
    let played = try play("swell", at: monotonicUs() + 100_000)
    let startUs = played.scheduledUs
    let endUs = startUs + 3_000_000
    var waits: [Int64] = []
    func poll(until instantUs: Int64) throws {
      while monotonicUs() < instantUs {
        let before = monotonicUs()
        _ = try daemon.now()
        waits.append(monotonicUs() - before)
        try daemon.listen(until: before + 20_000)
      }
    }
    try poll(until: startUs + 500_000)
    let before = rumble.takeHistory()
    rumble.unplug()
    // Another takes its node, so that it comes back at one of its own.
    let filler = try PluggedPad("Rig Filler", .rumble, product: 5, log: "haptics-filler")
    try poll(until: startUs + 900_000)
    rumble = try PluggedPad(rumble.name, rumble.kind, product: 1, log: "haptics-again")
    try poll(until: startUs + 1_500_000)
    twin.answers(true)
    try poll(until: endUs + 150_000)

    report.part = rumble.name
    let history = rumble.takeHistory()
    let strays = [before, history].compactMap { judge.compared($0, of: rumble, points, playedAt: startUs).stray }
    let rejoined = (history.turning.first?.lowerBound ?? .max / 2) + judge.leadUs - startUs
    report.check(
      "replugged: rejoins at the right place", !before.spans.isEmpty && !history.spans.isEmpty && strays.isEmpty,
      "\(before.spans.count) updates before and \(history.spans.count) after, as the oracle says"
        + judge.described(strays.first))
    report.check(
      "replugged: rejoins soon", rejoined < 2_500_000, timed: true, "\(milliseconds(rejoined)) into the pattern")
    judge.checkEnd("replugged: ends with the pattern", history, endUs, &report)

    report.part = ""
    report.check(
      "stuck pad: the daemon answers", Distribution(waits).median < 10_000, timed: true,
      "\(waits.count) times within \(Distribution(waits))")
    for pad in [wave, push] {
      report.part = pad.name
      judge.check("beside a stuck pad", pad.takeHistory(), of: pad, points, playedAt: startUs, &report)
    }
    report.part = twin.name
    judge.checkEnd("stuck: goes on when it answers", twin.takeHistory(), endUs, &report)
    try selectsMoved(&report)
    filler.unplug()
  }
}
