// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// How late a pad is written to, beside a bare program in C (`floor.c`) that wakes and writes likewise, in turn with it, on a pad of
/// its own: idle, and with all of the processor wanted by others. What is told is heard to the frame (the closed loop), so that is how
/// much later than heard it is felt. Among the rest it is tried some times, and 1,000 times where the scenario is named.
enum FloorChecks {
  private static let few = 50
  private static let many = 1_000
  private static let everyUs: Int64 = 60_000
  /// Of how many the daemon is asked what became of them.
  private static let explained = 20
  /// What our own plan, thread and bookkeeping may add at the median.
  private static let oursUs: Int64 = 300

  static func run(_ report: inout Report, whole: Bool) throws {
    let trials = whole ? many : few
    for load in [0, 2] {
      report.part = load == 0 ? "idle" : "loaded"
      let busy = try (0..<load).map { _ in
        try ChildProcess(log: Places.results + "/floor-load.err", body: BindChecks.count)
      }
      defer { for process in busy { process.signal(SIGKILL) } }
      try compare(trials, "floor-" + report.part, &report)
    }
  }

  private static func compare(_ trials: Int, _ name: String, _ report: inout Report) throws {
    let ours = try PluggedPad("Rig Pad", .rumble, product: 50, log: name + "-ours")
    let bare = try PluggedPad("Bare Pad", .rumble, product: 51, log: name + "-bare")
    let daemon = try Daemon.atDefaults(name, ["--haptics", ours.node])
    try daemon.listen(until: monotonicUs() + 700_000)
    guard let pad = try daemon.status().haptics.first(where: { $0.path == ours.node }) else {
      throw RigFailure("the daemon does not know \(ours.node)")
    }
    let firstUs = monotonicUs() + 1_000_000
    let bareUs = (0..<trials).map { firstUs + Int64($0) * everyUs + everyUs / 2 }
    let program = try ChildProcess(
      ["floor", bare.node, "\(bareUs[0] * 1_000)", "\(everyUs * 1_000)", "\(trials)"],
      log: "\(Places.results)/\(name).log")
    var told: [Int64] = []
    var players: [Int64] = []
    for index in 0..<trials {
      let moment = firstUs + Int64(index) * everyUs
      try daemon.listen(until: moment - 300_000)
      _ = try daemon.connection.call(SoundPlay.self, SoundPlay.Params(sound: "tick", atUs: moment, gain: 0.1))
      let params = HapticsTransient.Params(intensity: 1, sharpness: 1, atUs: moment)
      let played = try daemon.connection.call(HapticsTransient.self, params)
      told.append(played.scheduledUs)
      players += [played.player].compactMap { $0 }
    }
    guard program.wait() == 0 else { throw RigFailure("floor: " + readText("\(Places.results)/\(name).log")) }
    try daemon.listen(until: monotonicUs() + 300_000)
    let audio = try daemon.status().audio
    try explain(players.suffix(explained), daemon, &report)
    try daemon.finish()
    let felt = lateness(of: ours, told.map { $0 - pad.leadUs })
    let floor = lateness(of: bare, bareUs)
    for pad in [ours, bare] { pad.unplug() }
    let (median, least) = (Distribution(felt).median, Distribution(floor).median)
    report.check(
      "felt after heard", felt.count == trials && floor.count == trials && median <= least + oursUs,
      "of \(felt.count): \(quantiles(felt)); the bare program, of \(floor.count): \(quantiles(floor)); "
        + "the difference is ours, \(milliseconds(median - least))")
    report.check("no xruns", audio.xruns == 0, "\(audio.xruns)")
  }

  /// Which part of it is whose: the daemon's own records of when the pad's thread woke, and when the pad had been written to.
  private static func explain(_ players: ArraySlice<Int64>, _ daemon: Daemon, _ report: inout Report) throws {
    var (woke, wrote): ([Int64], [Int64]) = ([], [])
    for player in players {
      let life = try daemon.connection.call(TraceExplain.self, TraceExplain.Params(kind: .haptics, id: player))
      guard let written = life.stages.first(where: { $0.stage == .written }), let doneUs = written.toUs else {
        continue
      }
      wrote.append(doneUs - written.fromUs)
      woke.append(written.lateUs - (doneUs - written.fromUs))
    }
    report.note(
      "whose it is",
      "of \(woke.count): the thread woke \(milliseconds(Distribution(woke).median)) late, "
        + "and had written \(milliseconds(Distribution(wrote).median)) later (medians)")
  }

  /// How much later than each instant the pad was told to play, the first time after it.
  private static func lateness(of pad: PluggedPad, _ instants: [Int64]) -> [Int64] {
    let plays = pad.events.compactMap { event -> Int64? in
      if case .play(let atUs, _, let times) = event, times > 0 { atUs } else { nil }
    }.sorted()
    var next = 0
    return instants.compactMap { instant in
      while next < plays.count, plays[next] < instant { next += 1 }
      return next < plays.count && plays[next] < instant + everyUs / 2 ? plays[next] - instant : nil
    }
  }

  private static func quantiles(_ values: [Int64]) -> String {
    let sorted = values.sorted()
    guard let longest = sorted.last else { return "none" }
    return "median \(milliseconds(sorted[sorted.count / 2])), 99 of 100 within "
      + "\(milliseconds(sorted[sorted.count * 99 / 100])), longest \(milliseconds(longest))"
  }
}
