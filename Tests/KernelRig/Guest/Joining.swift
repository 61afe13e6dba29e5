// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A pattern that one pad plays from end to end, and others from when they are granted.
struct Joining {
  private let open: PluggedPad
  private let granted: [(pad: PluggedPad, atUs: Int64)]
  private let points: MotorPoints
  private let startUs: Int64

  /// Begins it, and cures one pad after another in the middle of it.
  init(_ open: PluggedPad, _ shut: [PluggedPad], _ cures: [String], _ daemon: Daemon, _ udev: Udev) throws {
    self.open = open
    points = try MotorPoints("swell")
    startUs = try daemon.play("swell", at: monotonicUs() + 150_000).scheduledUs
    try daemon.listen(until: startUs + 100_000)
    // The doctor leaves sudo out where root asks, as here.
    granted = try zip(shut, cures).map { pad, cure in
      try udev.shell(cure.replacing("sudo ", with: ""))
      try udev.settle()
      return (pad, Self.changed(pad.node))
    }
  }

  /// Waits for its end, and judges what was felt.
  func check(_ daemon: Daemon, _ report: inout Report) throws {
    let endUs = startUs + Int64(points.points.count) * 1_000
    try daemon.listen(until: endUs + 60_000)
    let leadUs = try daemon.status().haptics.first { $0.path == open.node }?.leadUs ?? 0
    let judge = PadJudge(leadUs: leadUs)
    report.part = open.name
    judge.check("beside denied ones", open.takeHistory(), of: open, points, playedAt: startUs, &report)
    for (pad, grantedUs) in granted {
      report.part = pad.name
      let history = pad.takeHistory()
      let stray = judge.compared(history, of: pad, points, playedAt: startUs).stray
      report.check(
        "joins when granted, at the right place", !history.spans.isEmpty && stray == nil,
        "\(history.spans.count) updates as the oracle says" + judge.described(stray))
      let joinedUs = history.spans.first?.fromUs ?? .max / 2
      report.check(
        "joins soon", (0..<250_000).contains(joinedUs - grantedUs) && grantedUs > startUs,
        "\(milliseconds(joinedUs - grantedUs)) after its node was granted, \(milliseconds(grantedUs - startUs)) into the "
          + "pattern")
      judge.checkEnd("ends with the pattern", history, endUs, &report)
    }
    report.part = ""
    let states = try daemon.status().haptics.map { "\($0.name) \($0.state)" }
    report.check("nothing is denied", states.allSatisfy { $0.hasSuffix(" ready") }, states.joined(separator: ", "))
  }

  /// When mode or group of a node changed last, on CLOCK_MONOTONIC.
  private static func changed(_ path: String) -> Int64 {
    var status = stat()
    var now = timespec()
    stat(path, &status)
    clock_gettime(CLOCK_REALTIME, &now)
    let agoUs =
      Int64(now.tv_sec - status.st_ctim.tv_sec) * 1_000_000 + Int64(now.tv_nsec - status.st_ctim.tv_nsec) / 1_000
    return monotonicUs() - agoUs
  }
}
