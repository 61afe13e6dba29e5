// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// `starlight rhythm play` at a terminal of its own, as a person has it.
@Suite struct KeyboardPlayTests {
  @Test func aChapterIsDrawnOnAScreenOfItsOwnAndItsScoreBehindIt() throws {
    let packs = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: packs) }
    let daemon = try DaemonProcess(["--device", "none"], packs: TestPack.make(in: packs))
    let play = ["--socket", daemon.socketPath, "rhythm", "play", "firewall"]
    let (text, code) = try TerminalRun.shown(play, striking: "q")
    #expect(code == 0)
    let begin = try #require(text.firstRange(of: "\u{1B}[?1049h"))
    let end = try #require(text.firstRange(of: "\u{1B}[?1049l"))
    let field = try #require(text.firstRange(of: "q ends"))
    let score = try #require(text.firstRange(of: "starlight-sync:firewall: 0 hits"))
    #expect(
      begin.upperBound < field.lowerBound && field.upperBound < end.lowerBound && end.upperBound <= score.lowerBound)
    // The cursor is back, and nothing is drawn where it stood before.
    #expect(text[begin.upperBound...].contains("\u{1B}[?25h"))
    #expect(!text[end.upperBound...].contains("\u{1B}["))
  }

  @Test func musicThatPlaysOnBehindAChapterIsTold() throws {
    let packs = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: packs) }
    let daemon = try DaemonProcess(["--device", "none"], packs: TestPack.make(in: packs))
    let play = ["--socket", daemon.socketPath, "rhythm", "play", "firewall", "--position", "44.2s"]
    let (quit, _) = try TerminalRun.shown(Array(play.dropLast(2)), striking: "q")
    #expect(!quit.contains("plays on"), "whoever ends a chapter ends its music")
    let (text, code) = try TerminalRun.shown(play)
    #expect(code == 0)
    #expect(text.contains("starlight-sync:finale plays on: `starlight music stop` ends it"))
  }
}
