// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A sound server that stops to answer, and answers again: the plan goes on by the clock, nobody waits for it, and what it
/// plays later is on the plan.
struct ServerHangChecks {
  let device: String
  /// The server's process.
  let server: pid_t

  func run(_ report: inout Report) throws {
    // However this ends, the server goes on.
    defer { kill(server, SIGCONT) }
    let daemon = try Daemon("hang", ["--device", device])
    try wait(upTo: 10, for: "the sound server") { try daemon.status().audio.kind.isHeard }
    usleep(700_000)
    let stopUs = monotonicUs()
    kill(server, SIGSTOP)
    var slowestUs: Int64 = 0
    try wait(upTo: 10, for: "the clock") {
      let askedUs = monotonicUs()
      let audio = try daemon.status().audio
      slowestUs = max(slowestUs, monotonicUs() - askedUs)
      return audio.kind == .null
    }
    report.check(
      "the clock takes over", monotonicUs() - stopUs < 5_000_000, "after \(milliseconds(monotonicUs() - stopUs))")
    report.check("control answers meanwhile", slowestUs < 200_000, timed: true, "in \(milliseconds(slowestUs)) at most")
    let announcedUs = try Part.sound("tick").play(on: daemon.connection, at: nil)
    report.check("plans go on", announcedUs - monotonicUs() < 200_000, timed: true)

    kill(server, SIGCONT)
    try wait(upTo: 15, for: "the server's return") { try daemon.status().audio.kind.isHeard }
    try hangInACall(daemon, &report)

    kill(server, SIGCONT)
    try wait(upTo: 15, for: "the server's return") { try daemon.status().audio.kind.isHeard }
    kill(server, SIGSTOP)
    let endUs = monotonicUs()
    try daemon.finish()
    report.check(
      "the daemon ends without it", monotonicUs() - endUs < 7_000_000, "after \(milliseconds(monotonicUs() - endUs))")
    kill(server, SIGCONT)

    kill(server, SIGSTOP)
    let startUs = monotonicUs()
    let second = try Daemon("hang-start", ["--device", device])
    let startedUs = monotonicUs()
    // Some plug-ins open without a word from their server.
    try wait(upTo: 10, for: "the clock") { try second.status().audio.kind == .null }
    report.check(
      "the daemon starts without it", startedUs - startUs < 7_000_000,
      "after \(milliseconds(startedUs - startUs)): \(try second.status().audio.message)")
    kill(server, SIGCONT)
    try wait(upTo: 15, for: "the server") { try second.status().audio.kind.isHeard }
    try second.finish()
  }

  /// A daemon that stood still starts its device anew, and asks a server that no longer answers.
  private func hangInACall(_ daemon: Daemon, _ report: inout Report) throws {
    usleep(700_000)
    kill(daemon.process.pid, SIGSTOP)
    usleep(300_000)
    kill(server, SIGSTOP)
    kill(daemon.process.pid, SIGCONT)
    let hungUs = monotonicUs()
    try wait(upTo: 10, for: "the clock") { try daemon.status().audio.kind == .null }
    report.check(
      "the clock takes over from a start that is not answered", monotonicUs() - hungUs < 5_000_000,
      "after \(milliseconds(monotonicUs() - hungUs)): \(try daemon.status().audio.message)")
    let ended = try daemon.all(SoundFinished.self).count
    _ = try Part.sound("tick").play(on: daemon.connection, at: nil)
    try wait(upTo: 5, for: "the sound's end") { try daemon.all(SoundFinished.self).count > ended }
  }
}
