// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

/// What `starlightd` can be told on its command line.
enum DaemonOptions {
  static let socket = OptionKey.path(
    "socket", short: "s", environment: SocketPath.variable,
    help: "the socket to listen on; without it $XDG_RUNTIME_DIR/starlight/starlightd.sock, or /run/starlight/ for root")
  static let packs = OptionKey.path(
    "packs", short: "p", value: "FOLDERS", environment: "STARLIGHT_PACKS",
    help:
      "folders of game packs, separated by colons, looked in before your own and the installed ones; of packs of one "
      + "name the first counts")
  static let noBuiltInPacks = OptionKey.flag(
    "no-built-in-packs", help: "looks in no other folders of packs than those of --packs")
  static let pack = OptionKey.text(
    "pack", value: "NAME", help: "the pack whose names need no prefix; without it the first with tracks or sounds")
  static let watch = OptionKey.flag(
    "watch", help: "reads a pack again whenever something in its folder was saved; what plays goes on as it began")
  static let device = OptionKey.text(
    "device", short: "d", value: "PCM", environment: "STARLIGHT_DEVICE",
    help: "the ALSA device, `none` for silence; without it `default`, or silence where there is none")
  static let rate = OptionKey.integer(
    "rate", value: "HZ", in: 8_000...192_000, default: 48_000, help: "frames a second, for the engine's whole life")
  static let period = OptionKey.integer(
    "period", value: "FRAMES", in: 16...8_192,
    help: "frames a period; without it what suits the device, and what it needed before")
  static let idle = OptionKey.integer(
    "idle", value: "SECONDS", in: 0...3_600, default: 10,
    help:
      "lets a sound card go after so long without a sound, so that it can save power, and opens it in time for the next; 0 never "
      + "does")
  static let record = OptionKey.path("record", value: "FILE", help: "writes all that is played to a WAV file")
  static let haptics = OptionKey.text(
    "haptics", value: "PADS", environment: "STARLIGHT_HAPTICS",
    help: "the pads to be felt: `all`, `none`, or names and paths with commas between; without it all that are found")
  static let hapticLog = OptionKey.path(
    "haptic-log", value: "FILE", help: "writes all that is felt, one line of JSON a change")
  static let journal = OptionKey.path(
    "journal", value: "FILE",
    help:
      "writes all that the engine is told, by which `starlight replay` does the run again; it holds what clients asked and "
      + "when players tapped")
  static let allowKeyboards = OptionKey.flag(
    "allow-keyboards",
    help:
      "lets `rhythm.bind` name devices that are no game pads. Without it none is ever opened, for a daemon that reads keyboards "
      + "could keep what is typed; with it this one reads the keys that are bound, and only while a chapter runs")
  static let clock = OptionKey.choice(
    "clock", value: "KIND", of: ["live", "stepped"], default: "live",
    help: "stepped: time moves only by clock.step, for tests and offline rendering")
  static let completions = OptionKey.choice(
    "completions", value: "SHELL", of: Shell.allCases.map(\.rawValue), help: "prints completions for a shell and ends")
}

/// The daemon's table: what it parses, what its help says.
let daemonProgram = CommandLineProgram(
  root: Command(
    "starlightd", summary: "plays a game's music, sounds, haptics and rhythm chapters on one clock",
    discussion: [
      "Game front ends talk to it over a Unix socket, one JSON-RPC request a line; `starlight` is the tool for people. "
        + "It needs no sound card and no gamepad: without them it runs in silence and says so.",
      "Game packs are looked for in the folders of --packs, then in your own, $XDG_DATA_HOME/starlight/packs "
        + "(~/.local/share), then in those that are installed.",
      "SIGTERM and SIGINT, and a terminal that closes, fade everything out in 50 ms and end it. SIGHUP has it read its packs "
        + "again: what plays goes on as it began.",
    ],
    options: [
      DaemonOptions.socket.option, DaemonOptions.packs.option, DaemonOptions.noBuiltInPacks.option,
      DaemonOptions.pack.option, DaemonOptions.watch.option, DaemonOptions.device.option,
      DaemonOptions.rate.option, DaemonOptions.period.option, DaemonOptions.idle.option,
      DaemonOptions.record.option,
      DaemonOptions.haptics.option, DaemonOptions.hapticLog.option, DaemonOptions.journal.option,
      DaemonOptions.allowKeyboards.option,
      DaemonOptions.clock.option,
      DaemonOptions.completions.option,
    ],
    examples: [
      .init("starlightd", "listens on the user's socket and plays through the default device"),
      .init("starlightd --device hw:1 --period 128", "plays straight through a sound card"),
      .init("starlightd --device none --record out.wav", "plays in silence and writes what it plays"),
      .init("starlightd --journal bug.journal", "keeps what `starlight replay bug.journal` does again, to the sample"),
      .init("source <(starlightd --completions bash)", "in ~/.bashrc; `make install` does it for every shell"),
    ]),
  version: starlightVersion,
  exitCodes: [
    (0, "ended by SIGTERM, SIGINT or a terminal that closes"),
    (
      1,
      "could not start, failed, or did not write all of a recording, a haptic log or a journal that was asked for, or left the settings, "
        + "or what is remembered of the sound device, to a disk that hangs"
    ),
    (2, "the command line makes no sense"),
  ])
