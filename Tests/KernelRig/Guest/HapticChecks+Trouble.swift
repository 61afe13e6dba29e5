// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

/// Pads that go away, come back, or say nothing, while others are chosen and let go.
extension HapticChecks {
  /// On one set of pads a pattern, no moment of which is like another: one is unplugged in the middle of it and comes back,
  /// and is told what the pattern is at by then; another answers no upload meanwhile, and holds up nobody but itself.
  mutating func trouble(_ report: inout Report) throws {
    for pad in pads { _ = pad.takeHistory() }
    rig.twin.answers(false)
    defer { rig.twin.answers(true) }
    let swell = try Feeling("swell", on: rig, of: daemon, at: monotonicUs() + 120_000)
    let startUs = swell.scheduledUs
    let pulses = try choose(at: startUs)
    var hum: Hum? = try Hum(far, of: daemon, at: pulses.endUs + 100_000)
    var waits: [Int64] = []
    func poll(until instantUs: Int64) throws {
      while monotonicUs() < instantUs {
        let before = monotonicUs()
        _ = try daemon.now()
        waits.append(monotonicUs() - before)
        try daemon.listen(until: before + 20_000)
      }
    }
    try poll(until: startUs + 300_000)
    let before = rig.rumble.takeHistory()
    rig.rumble.unplug()
    // Another takes its node, so that it comes back at one of its own.
    let filler = try PluggedPad("Filler", .rumble, product: 5, log: "haptics-filler")
    try poll(until: startUs + 600_000)
    rig.rumble = try PluggedPad(rig.rumble.name, .rumble, product: 1, log: "haptics-again")
    try poll(until: startUs + 1_000_000)
    rig.twin.answers(true)
    try poll(until: pulses.endUs + 700_000)
    let ends = try hum?.end()
    hum = nil
    try poll(until: swell.endUs + 60_000)
    // By the path at which it is plugged in by now, which is not where it was found.
    let moved = try Pulses([(rig.rumble.node, [rig.rumble])], on: daemon, at: swell.endUs + 150_000)
    try daemon.listen(until: moved.endUs)
    let swelled = rig.takeHistories().map { $0.split(at: swell.endUs + 60_000) }
    let chosen = far.takeHistories().map { $0.split(at: pulses.endUs + 30_000) }

    checkReplugged(swell, before, swelled[0].before, &report)
    report.part = ""
    report.check(
      "stuck pad: the daemon answers", Distribution(waits).median < 10_000,
      "\(waits.count) times within \(Distribution(waits))")
    for (pad, history) in zip(rig.all, swelled) where pad.kind != .rumble {
      report.part = pad.name
      judge.check("beside a stuck pad", history.before, of: pad, swell.points, playedAt: startUs, &report)
    }
    report.part = rig.twin.name
    judge.checkEnd("stuck: goes on when it answers", swelled[1].before, swell.endUs, &report)
    for (pad, history) in zip(far.all, chosen) {
      report.part = pad.name
      pulses.checkChoices(history.before, of: pad, judge, &report)
      pulses.checkTimes(history.before, of: pad, judge, &report)
    }
    ends?.check(chosen.map(\.after), judge, &report)
    for (pad, history) in zip(pads, swelled + chosen) {
      report.part = pad.name + " after all"
      moved.checkChoices(history.after, of: pad, judge, &report)
    }
    filler.unplug()
  }

  /// By a part of a name in any case, by path, by both, by what several names have in common.
  private func choose(at instantUs: Int64) throws -> Pulses {
    let choices: [Pulses.Choice] = [
      ("far twin", [far.twin]), (far.rumble.node, [far.rumble]), ("\(far.wave.node),FAR PUSH", [far.wave, far.push]),
      (far.name, far.all), ("none", []), (far.name, far.all), (far.name, far.all),
    ]
    return try Pulses(choices, on: daemon, at: instantUs)
  }

  private func checkReplugged(_ swell: Feeling, _ before: MotorHistory, _ after: MotorHistory, _ report: inout Report) {
    report.part = rig.rumble.name
    let strays = [before, after].compactMap {
      judge.compared($0, of: rig.rumble, swell.points, playedAt: swell.scheduledUs).stray
    }
    let rejoined = (after.turning.first?.lowerBound ?? .max / 2) + judge.leadUs - swell.scheduledUs
    report.check(
      "replugged: rejoins at the right place", !before.spans.isEmpty && !after.spans.isEmpty && strays.isEmpty,
      "\(before.spans.count) updates before and \(after.spans.count) after, as the oracle says"
        + judge.described(strays.first))
    report.check(
      "replugged: rejoins soon", rejoined < 1_500_000, "\(milliseconds(rejoined)) into the pattern")
    judge.checkEnd("replugged: ends with the pattern", after, swell.endUs, &report)
  }
}
