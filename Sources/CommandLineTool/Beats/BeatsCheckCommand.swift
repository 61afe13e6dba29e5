// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Rhythm

enum BeatsCheckCommand {
  static let within = OptionKey.duration(
    "within", in: 0...0.5, default: 0.03, help: "how far from an onset a beat may be before it is shown")
  static let all = OptionKey.flag("all", help: "show every beat, not only those that are far off")

  static let command = ToolCommand(
    "check", summary: "shows how far each beat is from what is heard near it in the track",
    discussion: [
      "What begins in the track is found by aubioonset (apt install aubio-tools), to some 3 ms. A distance above 0 has the sound "
        + "after the beat. Where all beats are off by the same, the map is off; where one is, that beat is. A beat on which "
        + "nothing is struck has nothing near it. Needs no daemon. Exits 0 whatever it finds."
    ],
    arguments: [BeatsCommand.source], options: [BeatsCommand.track.option, within.option, all.option],
    examples: [
      .init("starlight beats check lighthouse/storm.beats.json", "a map of a pack, whose chapter names the track"),
      .init("starlight beats check storm.osu --track storm.m4a", "before it is imported"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let signals = SignalWatch()
    let source = try BeatSource(tool)
    let beats = try source.someBeats()
    let folder = try TemporaryFolder(named: "beats")
    let sound = try AnalysedSound(of: source.someSound(), in: folder, interrupt: signals.descriptor)
    let onsets = try AubioTools.onsets(of: sound, interrupt: signals.descriptor)
    let distances = BeatDistances(beats, lanes: source.lanes, onsets: onsets)
    let limit = microseconds(tool.invocation[within] ?? 0.03)
    let report = Report(
      beats: distances.all, far: distances.far(limit).count, medianUs: distances.medianUs, withinUs: limit)
    tool.show(report, lines(distances, limit, all: tool.invocation[all], style: tool.out.style))
  }

  private static func lines(_ distances: BeatDistances, _ limit: Int64, all: Bool, style: Style) -> [String] {
    let far = distances.far(limit)
    let told = (all ? distances.all : far).map { one in
      let off = one.onsetUs.map { signedMilliseconds($0) } ?? "nothing near"
      let isFar = one.onsetUs.map { abs($0) > limit } ?? true
      let row = "beat \(one.beat)".padded(10) + "\(fixed(Double(one.atUs) / 1e6, 3)) s".rightAligned(11)
      return row + off.rightAligned(14) + (one.lane.map { "  " + $0 } ?? "")
        + (all && isFar ? style.paint("  far", .warning) : "")
    }
    return told + summary(distances, far.count, limit)
  }

  private static func summary(_ distances: BeatDistances, _ far: Int, _ limit: Int64) -> [String] {
    let number = count(distances.all.count, "beat")
    guard let statistics = Statistics(distances.known) else { return ["\(number), and nothing is heard near any"] }
    var lines = [
      "\(number): median \(signedMilliseconds(statistics.median)), from \(signedMilliseconds(statistics.least)) to "
        + "\(signedMilliseconds(statistics.most)); \(distances.all.count - far) within \(milliseconds(limit, places: 0)) of an onset"
    ]
    if statistics.count >= Statistics.leastForMedian, abs(statistics.median) >= 8_000 {
      let shift = fixed(Double(statistics.median) / 1e6, 3)
      lines.append(
        "most are \(statistics.median > 0 ? "early" : "late") alike: --shift \(shift) of `starlight pack import` mends that"
      )
    }
    return lines
  }

  /// What `--json` prints.
  private struct Report: Encodable {
    var beats: [BeatDistances.One]
    var far: Int
    var medianUs: Int64?
    var withinUs: Int64
  }
}
