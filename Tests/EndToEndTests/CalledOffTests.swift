// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// What a command has planned, and somebody else calls off before its instant.
@Suite(.timeLimit(.minutes(1))) struct CalledOffTests {
  @Test(arguments: [
    (["sound", "play", "sfx_click"], "sfx_click was called off before it began"),
    (["haptics", "transient"], "the tap was stopped by another client"),
  ])
  func aCommandWhosePlanIsCalledOffSaysSoAndFails(_ command: [String], _ said: String) throws {
    try expect(command + ["--at", "600"], toSay: said) { other in
      _ = try other.call(SoundStop.self, SoundStop.Params())
      _ = try other.call(HapticsStop.self, HapticsStop.Params())
    }
  }

  @Test(arguments: [["haptics", "transient"], ["haptics", "play", "thud"]])
  func aCommandWhoseInstantComesWhileHapticsAreSwitchedOffSaysSoAndFails(_ command: [String]) throws {
    try expect(command + ["--at", "3"], toSay: "was skipped: haptics are switched off") { other in
      _ = try other.call(SettingsSet.self, SettingsSet.Params(haptics: false))
    }
  }

  /// Lets `change` be done once the command has planned.
  private func expect(
    _ command: [String], toSay said: String, after change: (StarlightConnection) throws -> Void
  ) throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: try TestPack.make(in: directory))
    let output = directory + "/output"
    let pid = try spawn(
      [DaemonProcess.program("starlight")] + command,
      environment: ["STARLIGHT_SOCKET=" + daemon.socketPath], errorsTo: output)
    func text() -> String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
    let other = try daemon.connect()
    while !text().contains(" (") { _ = try other.call(ClockNow.self, Empty()) }
    try change(other)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    #expect(status == 1 << 8 && text().contains(said), "\(status): \(text())")
  }
}
