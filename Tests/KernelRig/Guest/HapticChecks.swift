// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

/// The daemon and eight pads that exist only in the kernel, two of every kind there is: every upload and play is held
/// against the oracle, the pattern's time, and the rule that nothing plays on by itself.
///
/// One set of pads plays one thing while the other plays another: a pattern takes its time, and judging it takes none.
struct HapticChecks {
  static func run(_ report: inout Report) throws {
    // Nothing is heard here: the clock that paces what is not is to take little of the one processor.
    let starting = try StartingDaemon("haptics", ["--device", "none", "--period", "256"])
    let sets = try PadSet.plug(["Rig", "Far"])
    let daemon = try Daemon(starting)
    var outputs: [EngineStatus.HapticOutput] = []
    try wait(upTo: 5, for: "8 pads") {
      outputs = try daemon.status().haptics.filter { $0.kind.isFelt && $0.state == .ready }
      return outputs.count == 8
    }
    let leadUs = outputs.first?.leadUs ?? 0
    report.note("device", "\(outputs.map(\.name).joined(separator: ", ")), lead \(milliseconds(leadUs))")
    var checks = HapticChecks(daemon: daemon, judge: PadJudge(leadUs: leadUs), rig: sets[0], far: sets[1])
    try checks.everywhere(&report)
    try checks.feels(&report)
    for pad in checks.rig.all { checks.judge.checkEffects(pad, &report) }
    try checks.trouble(&report)
    for pad in checks.far.all { checks.judge.checkEffects(pad, &report) }
    try checks.killed(&report)
  }

  let daemon: Daemon
  let judge: PadJudge
  var rig: PadSet
  let far: PadSet

  var pads: [PluggedPad] { rig.all + far.all }

  /// A pad that is not there is refused; what is meant for all is felt on all.
  private func everywhere(_ report: inout Report) throws {
    report.part = ""
    for pad in pads { _ = pad.takeHistory() }
    do {
      _ = try daemon.play("pulse", on: "Nobody", at: monotonicUs())
      report.check("a pad that is not there is refused", false, "it was taken")
    } catch {
      report.check("a pad that is not there is refused", "\(error)".contains("Nobody"), "\(error)")
    }
    let pulses = try Pulses([(nil, pads), ("all", pads)], on: daemon, at: monotonicUs() + 120_000)
    try daemon.listen(until: pulses.endUs)
    for pad in pads {
      report.part = pad.name
      pulses.checkChoices(pad.takeHistory(), of: pad, judge, &report)
    }
  }

  /// A long pattern on one set of pads, and two shorter ones on the other meanwhile.
  private func feels(_ report: inout Report) throws {
    for pad in pads { _ = pad.takeHistory() }
    let at = monotonicUs() + 120_000
    let heartbeat = try Feeling("heartbeat", on: rig, of: daemon, at: at)
    let charge = try Feeling("capacitor_charge", on: far, of: daemon, at: at)
    let texture = try Feeling("texture", on: far, of: daemon, at: charge.endUs + 150_000)
    try daemon.listen(until: max(heartbeat.endUs, texture.endUs) + 60_000)
    heartbeat.check(rig.takeHistories(), judge, &report)
    let histories = far.takeHistories().map { $0.split(at: charge.endUs + 60_000) }
    charge.check(histories.map(\.before), judge, &report)
    texture.check(histories.map(\.after), judge, &report)
  }

  /// The daemon dies without a word while all pads play.
  private func killed(_ report: inout Report) throws {
    for pad in pads { _ = pad.takeHistory() }
    let played = try daemon.play("hum", at: monotonicUs() + 50_000)
    try daemon.listen(until: played.scheduledUs + 200_000)
    let killedUs = monotonicUs()
    daemon.process.signal(SIGKILL)
    // With its end its files are closed, and nobody is left to tell the pads anything.
    _ = daemon.process.wait()
    usleep(50_000)
    // The kernel takes the effects along when it has taken the process apart; at the latest they end by themselves.
    let limit = Int64(PadJudge.lengthMs) * 1_000 + PadJudge.jitterUs
    for pad in pads {
      report.part = pad.name
      judge.checkSilence("silent after SIGKILL", pad.takeHistory(), since: killedUs, withinUs: limit, &report)
    }
  }
}
