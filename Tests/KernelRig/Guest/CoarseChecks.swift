// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A card whose least period is 512 frames and that tells its position finely: a sound that is asked for now is heard as soon as
/// on a card with short periods, for the clock wakes the daemon; and what is played so comes out as it was rendered.
enum CoarseChecks {
  static let leastPeriod = 512
  private static let parts = 500
  /// For how long wake-ups are counted.
  private static let countedUs: UInt32 = 2_000_000

  static func run(_ report: inout Report, whole: Bool) throws {
    report.part = "by the clock"
    try play(on: CoarseCard(leastPeriod: leastPeriod), isTimed: true, &report)
    report.part = "in steps"
    try SteppingChecks.run(&report)
    if whole {
      report.part = "by the card"
      try play(on: CoarseCard(leastPeriod: leastPeriod, isBatch: true), isTimed: false, &report)
      report.part = "its own periods of 64"
      try play(on: nil, isTimed: false, &report)
    }
    // Its position moves in steps of 4 ms, as much as a daemon at the defaults is ahead: so three periods are asked for. And when
    // it is read at any moment of such a step, what is heard cannot be told as well as where the card wakes at their ends.
    for (name, disturbances, lengthUs) in disturbed.prefix(whole ? disturbed.count : 2) {
      report.part = "loopback, " + name
      try LoopbackChecks(
        name: "coarse-" + name, device: "hw:Loopback,0,0", card: CoarseCard(leastPeriod: 2 * LoopbackChecks.period),
        performance: .piece, lengthUs: lengthUs, disturbances: disturbances, leastGaps: 1,
        comparesOffline: disturbances.isEmpty, checksInstants: false
      ).run(&report)
    }
  }

  private static let disturbed: [(name: String, [(atUs: Int64, LoopbackChecks.Disturbance)], lengthUs: Int64)] = [
    ("calm", [], 2_200_000),
    ("hiccups", LoopbackChecks.hiccups, 2_200_000),
    ("stopped", [(550_000, .stop(forUs: 80_000)), (1_450_000, .stop(forUs: 60_000))], 2_200_000),
    ("unplugged", [(500_000, .unplug(forUs: 400_000))], 2_900_000),
    ("suspended", [(500_000, .suspend(forSeconds: 1))], 2_800_000),
  ]

  /// How soon it is heard at the defaults, and what that costs; checked where the clock is to wake for it.
  private static func play(on card: CoarseCard?, isTimed: Bool, _ report: inout Report) throws {
    let start = { try Daemon.atDefaults("coarse") }
    let daemon = try card.map { try $0.around(start) } ?? start()
    usleep(700_000)
    let waits = try PromptChecks.waits(on: daemon, parts) { _ in .sound("tick") }
    let cost = try cost(of: daemon)
    let audio = try daemon.status().audio
    if isTimed {
      try GrowthChecks.runDry(daemon)
      let grown = try daemon.status().audio
      for _ in 0..<2 { try GrowthChecks.runDry(daemon) }
      let atLast = try daemon.status().audio.message
      report.check("whoever stops it, its position is believed", atLast.contains("woken by the clock"), atLast)
      report.check(
        "the fill grows in place by what is written",
        grown.bufferFrames == 256 && grown.periodFrames == 64 && grown.xruns == 1,
        "\(audio.bufferFrames) frames ahead, after \(grown.xruns) xruns \(grown.bufferFrames)")
    }
    try daemon.finish()
    let (median, rarely) = (waits[parts / 2], waits[parts * 99 / 100])
    let told =
      "of \(parts): median \(milliseconds(median)), 99 of 100 within \(milliseconds(rarely)), "
      + "longest \(milliseconds(waits[parts - 1])); \(audio.bufferFrames) frames ahead in periods of \(audio.periodFrames)"
    report.note("cost", cost)
    report.check(
      "what wakes is told", audio.message.contains("woken by the clock") == isTimed, audio.message)
    if isTimed {
      report.check(
        "from command to sound", median <= PromptChecks.medianUs && rarely <= PromptChecks.rarelyUs, told)
    } else {
      report.note("from command to sound", told)
    }
    report.check("none later than told", audio.lateStarts == 0, "\(audio.lateStarts)")
    report.check("no xruns", audio.xruns == 0, "\(audio.xruns)")
  }

  /// How often the audio thread wakes while nothing sounds but the device plays on, and what of the processor that takes.
  private static func cost(of daemon: Daemon) throws -> String {
    guard let thread = daemon.process.thread(named: "audio") else { throw RigFailure("no audio thread") }
    let (wakes, used, from) = (
      daemon.process.wakes(ofThread: thread), daemon.process.processorTime(ofThread: thread), monotonicUs()
    )
    usleep(countedUs)
    let tookUs = monotonicUs() - from
    let perSecond = Int64(daemon.process.wakes(ofThread: thread) - wakes) * 1_000_000 / tookUs
    let usedUs = (daemon.process.processorTime(ofThread: thread) - used) / 1_000 * 1_000_000 / tookUs
    return "the audio thread wakes \(perSecond) times a second, which takes \(milliseconds(usedUs)) of it"
  }
}
