// SPDX-License-Identifier: Apache-2.0

import Moments
import Testing

/// Names of what the packs of a running daemon hold, where the tool itself reads files.
@Suite struct NamedAssetTests {
  /// The daemon alone knows where its pack lies.
  @Test func whatIsReadIsFoundInThePacksOfTheDaemon() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(
      ["--device", "none", "--haptics", "none"], packs: try TestPack.make(in: directory))
    for (words, said) in [
      (["audition", "--draw", "starlight-sync:heartbeat"], "starlight-sync:heartbeat  "),
      (["audition", "--draw", "heartbeat"], "starlight-sync:heartbeat  "),
      (["convert", "starlight-sync:heartbeat", "--to", "csv"], "time,intensity,sharpness"),
      (["diff", "heartbeat", "starlight-sync:thud"], "starlight-sync:thud"),
      (["pack", "show", "starlight-sync"], "firewall"),
    ] {
      let run = try runTool(words, socket: daemon.socketPath)
      #expect(run.code == 0 && run.output.contains(said), "\(words): \(run.output)")
    }
    // Here its beats are found, and what is heard in its track asks for aubio's tools or the daemon alone.
    let heard = try runTool(["beats", "check", "starlight-sync:firewall"], socket: daemon.socketPath)
    #expect(!heard.output.contains("is no file"), "\(heard.output)")
  }

  @Test func whatIsOfAnotherKindIsToldWithWhatTakesIt() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(
      ["--device", "none", "--haptics", "none"], packs: try TestPack.make(in: directory))
    for (words, said, hint) in [
      (
        ["audition", "--draw", "starlight-sync:firewall"],
        "no pattern starlight-sync:firewall: starlight-sync:firewall is a chapter",
        "`starlight rhythm play starlight-sync:firewall` plays it; `starlight list patterns` names the patterns"
      ),
      (
        ["convert", "starlight-sync:sfx_click", "--to", "csv"],
        "no pattern starlight-sync:sfx_click: starlight-sync:sfx_click is a sound",
        "`starlight sound play starlight-sync:sfx_click` plays it"
      ),
      (
        ["audition", "--draw", "lighthouse:thud"], "no pattern lighthouse:thud: no pack lighthouse is here",
        "`starlight pack load FOLDER`"
      ),
      (
        ["pack", "show", "starlight-sync:firewall"],
        "starlight-sync:firewall is in a pack, and a pack is shown whole",
        "`starlight pack show starlight-sync` shows it"
      ),
      (
        ["beats", "check", "starlight-sync:heartbeat"],
        "no chapter or track starlight-sync:heartbeat: starlight-sync:heartbeat is a pattern",
        "`starlight audition starlight-sync:heartbeat` plays and draws it"
      ),
    ] {
      let run = try runTool(words, socket: daemon.socketPath)
      #expect(run.code == 1 && run.output.contains("starlight: " + said), "\(words): \(run.output)")
      #expect(run.output.contains(hint), "\(words): \(run.output)")
    }
  }
}
