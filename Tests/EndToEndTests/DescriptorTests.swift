// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// The real daemon, started with standard descriptors as services and scripts leave them.
@Suite struct DescriptorTests {
  @Test(arguments: ["2>&-", "0<&- 1>&- 2>&-"])
  func noFileOfTheDaemonsIsTakenForAStandardDescriptorThatWasClosed(closed: String) throws {
    let log = try makeTemporaryDirectory() + "/felt"
    let game = try SteppedGame(["--haptic-log", log], limits: "exec " + closed)
    _ = try game.connection.call(HapticsTransient.self, HapticsTransient.Params(intensity: 1, sharpness: 0.5))
    try game.step(to: game.nowUs + 500_000)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.hasPrefix("{") }, "\(lines)")
  }

  @Test func itEndsThoughNobodyEmptiesThePipeThatItsLogGoesTo() throws {
    let pipe = try makeTemporaryDirectory() + "/log"
    #expect(mkfifo(pipe, 0o600) == 0)
    let reading = open(pipe, O_RDONLY | O_NONBLOCK)
    let writing = open(pipe, O_WRONLY | O_NONBLOCK)
    defer {
      close(reading)
      close(writing)
    }
    let bytes = [UInt8](repeating: 0x61, count: 4_096)
    while write(writing, bytes, bytes.count) > 0 {}
    let game = try SteppedGame(["--haptics", "none"], limits: "exec 2>" + pipe)
    try game.step(to: game.nowUs + 500_000)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
  }
}
