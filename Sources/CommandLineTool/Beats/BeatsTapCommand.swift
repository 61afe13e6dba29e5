// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import Glibc
import ImportedBeats
import Rhythm

enum BeatsTapCommand {
  static let lanes = OptionKey.text(
    "lanes", value: "NAMES",
    help: "names of lanes, as in left,right,up: arrows tap those of their names, digits all in order")

  static let command = ToolCommand(
    "tap", summary: "plays a track through the daemon, and makes a beat map of the keys that are pressed",
    discussion: [
      "Without lanes any key taps; backspace takes the latest tap back, q or Ctrl-C ends. A key counts at the instant at which "
        + "it was read, and the track at the instant at which it is heard: what its sound device needs is known and taken off. "
        + "How late your own fingers and the keyboard are is not taken off: `starlight beats check` shows it, because all beats "
        + "are off alike then.",
      "What was tapped is written when the track ends, or with q: to the track's name with .beats.json, unless --out says otherwise.",
    ],
    arguments: [BeatsCommand.sound],
    options: [lanes.option, BeatsCommand.from.option, BeatsCommand.out.option, replacing.option],
    examples: [
      .init("starlight beats tap storm.flac", "writes storm.beats.json"),
      .init(
        "starlight beats tap lighthouse:storm --lanes left,right -o storm.beats.json", "two lanes, by the arrow keys"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    guard isatty(0) == 1, tool.out.isInteractive, !tool.wantsJSON else {
      throw .usage("tapping needs a terminal with a keyboard", hint: "run this in a terminal")
    }
    let signals = SignalWatch()
    let names = try laneNames(tool.invocation[lanes])
    let source = try BeatSource(tool.invocation[BeatsCommand.sound] ?? "", tool)
    let file = try source.someSound()
    let output = tool.invocation[BeatsCommand.out] ?? ImportSources.File.stem(of: file) + ".beats.json"
    try checkPlace(output, tool)
    let track = try HeardTrack(file, gain: source.gain, tool, interrupt: signals.descriptor)
    var tapping = Tapping(keys: LaneKeys(lanes: names), title: source.title, out: tool.out)
    let taps = try tapping.record(track, fromUs: microseconds(tool.invocation[BeatsCommand.from] ?? 0), signals)
    try track.end()
    let playable = PlayableBeats(taps, length: track.lengthUs)
    guard !playable.beats.isEmpty else { throw ToolFailure("nothing was tapped, and nothing is written") }
    let bpm = DetectedBeats.tempo(playable.beats.map(\.at))
    try tool.putBeats(BeatMapText(bpm: bpm, beats: playable.beats, lanes: names).text, to: output)
    if let leftOut = playable.leftOut { tool.errors.note(leftOut) }
    tool.errors.note(
      beatsText(output, playable.beats.count, bpm: bpm),
      hint: "`starlight beats play \(quotedForShell(output)) --track \(quotedForShell(file))` lets them be heard")
  }

  private static func laneNames(_ text: String?) throws(ToolFailure) -> [String] {
    let names = (text ?? "").split(separator: ",").map(String.init)
    if let wrong = names.first(where: { nameForPack($0) != $0 }) {
      throw .usage("\(wrong) is no name of a lane", hint: "use small letters, digits, _ and -")
    }
    if Set(names).count < names.count || names.count > 9 {
      throw .usage("there are up to nine lanes, each of a name of its own")
    }
    return names
  }
}
