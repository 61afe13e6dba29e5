// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
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
    // Its beats are found; what is heard in its track takes aubio's tools.
    let heard = try runTool(["beats", "check", "starlight-sync:firewall"], socket: daemon.socketPath)
    #expect(heard.output.contains(heard.code == 0 ? "beats" : "aubio"), "\(heard.output)")
  }

  /// A daemon plays what it has loaded, and a file where it has no pattern of that name, whatever lies in other packs here.
  @Test func whatIsPlayedThroughADaemonIsNotLookedForInPacksThatItHasNot() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(
      ["--device", "none", "--haptics", "none"], packs: try TestPack.make(in: directory))
    let others = directory + "/others"
    try FileManager.default.createDirectory(atPath: others, withIntermediateDirectories: true)
    let made = try runTool(["pack", "new", others + "/only-here"], socket: daemon.socketPath)
    #expect(made.code == 0, "\(made.output)")
    let play = ["audition", "only-here:knock", "--socket", daemon.socketPath]
    let drawn = try runTool(play + ["--draw"], in: directory, environment: ["STARLIGHT_PACKS=" + others])
    let played = try runTool(play, in: directory, environment: ["STARLIGHT_PACKS=" + others])
    #expect(drawn.code == 0 && drawn.output.contains("only-here:knock  "), "\(drawn.output)")
    #expect(played.code == 1 && played.output.contains("no pack only-here is here"), "\(played.output)")
  }

  /// Names are found on the disk without a daemon; but who names a socket means one. Of two names it is asked once.
  @Test func aMistypedSocketIsToldOnceWhereNamesAreLookedFor() throws {
    let names = ["diff", "no-such-pattern", "nor-this"]
    let mistyped = try runTool(["--socket", "/nonexistent/mistyped"] + names, socket: "/nonexistent")
    let notes = mistyped.output.split(separator: "\n").count {
      $0.contains("the daemon's packs are not looked through")
    }
    #expect(mistyped.code == 1 && notes == 1 && mistyped.output.contains("/nonexistent/mistyped"), "\(mistyped.output)")
    let unnamed = try runTool(names, socket: "/nonexistent")
    #expect(!unnamed.output.contains("not looked through"), "\(unnamed.output)")
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
