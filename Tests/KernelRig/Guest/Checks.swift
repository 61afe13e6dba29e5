// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Names for several scenarios.
private let groups = ["pads": ["haptics", "access"]]

/// Runs every scenario, or those named, one after another: the guest has one processor. 0 when every check held.
func runChecks(only: [String]) -> Int32 {
  var report = Report()
  let only = only.flatMap { groups[$0] ?? [$0] }
  var modules = KernelModules()
  func scenario(_ name: String, on needed: KernelModules.Group..., body: (inout Report) throws -> Void) {
    guard only.isEmpty || only.contains(name) else { return }
    do {
      for group in needed { try modules.load(group) }
      report.run(name, body)
    } catch {
      report.run(name) { _ in throw error }
    }
  }

  scenario("loopback", on: .sound) { report in
    try LoopbackChecks(name: "loopback", device: "hw:Loopback,0,0", performance: .piece, lengthUs: 2_200_000)
      .run(&report)
  }
  scenario("plug-in", on: .sound) { report in
    try LoopbackChecks(
      name: "plug-in", device: "plughw:Loopback,0,0", performance: .piece, lengthUs: 2_200_000, comparesOffline: false
    ).run(&report)
  }
  scenario("formats", on: .sound) { report in
    let short = Performance(parts: [(0, .music("night")), (200_000, .sound("tick")), (400_000, .music("day"))])
    for layout in [
      SampleLayout(.s16), SampleLayout(.s32, channels: 1), SampleLayout(.packed24, channels: 4),
      SampleLayout(.s16, channels: 6), SampleLayout(.float, channels: 8),
    ] {
      report.part = layout.name
      try LoopbackChecks(
        name: "formats-" + layout.name, device: "hw:Loopback,0,0", layout: layout, performance: short,
        lengthUs: 600_000, comparesOffline: false
      ).run(&report)
    }
  }
  scenario("dmix", on: .sound) { report in
    // Mixing takes integers; alone, a program is given back as it was.
    try LoopbackChecks(
      name: "dmix", device: "dmix:CARD=Loopback,DEV=0", layout: SampleLayout(.s16), performance: .piece,
      lengthUs: 2_200_000, comparesOffline: false
    ).run(&report)
  }
  scenario("stopped", on: .sound) { report in
    try LoopbackChecks(
      name: "stopped", device: "hw:Loopback,0,0", performance: .piece, lengthUs: 2_200_000,
      disturbances: [(550_000, .stop(forUs: 80_000)), (1_450_000, .stop(forUs: 60_000))]
    ).run(&report)
  }
  scenario("hiccups", on: .sound) { report in
    try LoopbackChecks(
      name: "hiccups", device: "hw:Loopback,0,0", performance: .piece, lengthUs: 2_200_000,
      disturbances: LoopbackChecks.hiccups, leastGaps: 1, comparesOffline: false
    ).run(&report)
  }
  scenario("unplugged", on: .sound) { report in
    let piece = Performance(parts: [
      (0, .music("night")), (300_000, .sound("tick")), (2_400_000, .sound("tock")), (2_600_000, .sound("tick")),
    ])
    try LoopbackChecks(
      name: "unplugged", device: "hw:Loopback,0,0", performance: piece, lengthUs: 2_900_000,
      disturbances: [(500_000, .unplug(forUs: 400_000))]
    ).run(&report)
  }
  scenario("replaced", on: .sound) { report in
    for layout in [SampleLayout(.s16, channels: 6, rate: 96_000), SampleLayout(.s16, channels: 4, rate: 44_100)] {
      report.part = layout.name
      try ReplacementChecks(layout: layout).run(&report)
    }
  }
  scenario("suspended", on: .sound) { report in
    let piece = Performance(parts: [
      (0, .music("night")), (300_000, .sound("tick")), (2_300_000, .sound("tock")), (2_500_000, .sound("tick")),
    ])
    try LoopbackChecks(
      name: "suspended", device: "hw:Loopback,0,0", performance: piece, lengthUs: 2_800_000,
      disturbances: [(500_000, .suspend(forSeconds: 1))]
    ).run(&report)
  }
  scenario("grown", on: .sound, body: GrowthChecks.run)
  scenario("prompt", on: .sound, body: PromptChecks.run)
  scenario("coarse", on: .sound) { try CoarseChecks.run(&$0, whole: only.contains("coarse")) }
  scenario("idle", on: .sound, body: IdleChecks.run)
  scenario("skew", on: .sound, .pads, body: SkewChecks.run)
  scenario("dummy", on: .sound, body: DummyChecks.run)
  scenario("haptics", on: .pads, body: HapticChecks.run)
  scenario("access", on: .pads, body: AccessChecks.run)
  scenario("bind", on: .pads, body: BindChecks.run)
  scenario("closed-loop", on: .sound, .pads, body: ClosedLoop.run)
  scenario("proof", on: .sound, .pads, body: ProofChecks.run)
  scenario("calibrate", on: .sound) { try CalibrateChecks.run(&$0, whole: only.contains("calibrate")) }
  scenario("culprits", on: .sound, .pads) { try CulpritChecks.run(&$0, whole: only.contains("culprits")) }
  scenario("floor", on: .sound, .pads) { try FloorChecks.run(&$0, whole: only.contains("floor")) }
  scenario("played", on: .sound, .pads) { report in
    try PlayedChecks(
      game: "starlight-sync", player: ["/bin/starlight-sync-player", "--from", "5", "--until", "5", "--deft"],
      goesAt: ("connected", 4), endsWith: "left", isTapByTap: true
    ).run(&report)
    try PlayedChecks(
      game: "freefall", player: ["/bin/freefall-player", "--levels", Places.levels, "--until", "W1L1", "--deft"],
      goesAt: ("launched", 1), endsWith: "word", isTapByTap: false
    ).run(&report)
  }
  // Too long to be among the rest: these run when they are named.
  if only.contains("soak") { scenario("soak", on: .sound, body: SoakChecks.run) }
  if only.contains("margin") { scenario("margin", on: .sound) { try MarginChecks.run(&$0) } }
  return report.failures == 0 ? 0 : 1
}

/// Runs a scenario on a sound server of this machine, which is scheduled as the machine has time: 0 when every check held,
/// 75 (EX_TEMPFAIL) when the only fault was to be late, which may be tried again.
func runOnServer(_ name: String, _ body: (inout Report) throws -> Void) -> Int32 {
  var report = Report(forgivesLateness: true)
  report.run(name, body)
  if report.failures > 0 { return 1 }
  return report.lateScenarios > 0 ? EX_TEMPFAIL : 0
}
