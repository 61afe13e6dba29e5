// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Rhythm

enum BeatsPlayCommand {
  static let command = ToolCommand(
    "play", summary: "plays a track through the daemon with a click on each beat",
    discussion: [
      "Each lane has a pitch of its own, the first the lowest. Of a sound file those of the map of its name beside it are heard, of "
        + "pack:track the grid of its tempo. Loads a pack of its own into the daemon, and takes it out at the end; Ctrl-C ends it."
    ],
    arguments: [BeatsCommand.source], options: [BeatsCommand.track.option, BeatsCommand.from.option],
    examples: [
      .init("starlight beats play lighthouse:signals", "a chapter of a pack"),
      .init("starlight beats play storm.beats.json --position 30s", "a map, from 30 s on"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let signals = SignalWatch()
    let source = try BeatSource(tool)
    let beats = try source.someBeats()
    let start = microseconds(tool.invocation[BeatsCommand.from] ?? 0)
    let track = try HeardTrack(source.someSound(), gain: source.gain, tool, interrupt: signals.descriptor)
    try track.play(fromUs: start)
    tool.errors.note("\(count(beats.count, "beat")) of \(source.title); Ctrl-C ends it")
    var next = beats.firstIndex { $0.at >= start } ?? beats.count
    let first = next
    // Clicks are planned some way ahead, and few at once: others have their plans too.
    while try track.goesOn(), signals.take() == nil, !tool.out.isAbandoned {
      while next < beats.count, track.zeroUs + beats[next].at < nowUs() + 2_000_000 {
        try track.click(atUs: beats[next].at, pitch: pitch(of: beats[next].lane, among: source.lanes.count))
        next += 1
      }
      if next == beats.count, let last = beats.last, nowUs() > track.zeroUs + last.at + 1_500_000 { break }
      _ = waitReadable([track.descriptor, signals.descriptor], microseconds: 250_000)
    }
    try track.end()
    tool.show(Played(beats: next - first), [])
  }

  /// Lanes over an octave.
  private static func pitch(of lane: Int?, among lanes: Int) -> Double {
    guard let lane, lanes > 1 else { return 1 }
    return 0.75 + 0.75 * Double(lane) / Double(lanes - 1)
  }

  /// What `--json` prints.
  private struct Played: Encodable {
    /// How many clicks were planned.
    var beats: Int
  }
}
