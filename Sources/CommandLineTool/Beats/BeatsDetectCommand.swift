// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import ImportedBeats
import Rhythm

enum BeatsDetectCommand {
  static let onsets = OptionKey.flag("onsets", help: "every sound that begins in it, not the beats alone")
  static let double = OptionKey.flag("double", help: "twice as many beats: one between each two")
  static let halve = OptionKey.flag("halve", help: "half as many: every other beat, those at which more begins")

  static let command = ToolCommand(
    "detect", summary: "proposes the beats of a track, by listening to it",
    discussion: [
      "Where the tempo is steady the beats are led by what begins in the track, as aubioonset hears it (apt install aubio-tools), "
        + "and by how loud it is. Else they are aubiotrack's, each put on the onset within 40 ms of it, where there is one.",
      "They are a proposal: `starlight beats play` lets them be heard with clicks. One tempo and its double cannot always be told "
        + "apart: --halve and --double are for that. What is printed is a beat map as packs have it. Needs no daemon.",
    ],
    arguments: [BeatsCommand.sound],
    options: [onsets.option, double.option, halve.option, BeatsCommand.out.option, replacing.option],
    examples: [
      .init("starlight beats detect storm.flac --out storm.beats.json", "a beat map to begin from"),
      .init("starlight beats detect storm.flac --halve -o storm.beats.json --force", "again, with every other beat"),
      .init("starlight beats detect --onsets lighthouse:storm", "each note of a track of a pack"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    if [onsets, double, halve].count(where: { tool.invocation[$0] }) > 1 {
      throw .usage("--onsets, --double and --halve exclude each other", hint: "give one of them")
    }
    let signals = SignalWatch()
    let output = tool.invocation[BeatsCommand.out] ?? "-"
    try checkPlace(output, tool)
    let source = try BeatSource(tool.invocation[BeatsCommand.sound] ?? "", tool)
    let folder = try TemporaryFolder(named: "beats")
    let sound = try AnalysedSound(of: source.someSound(), in: folder, interrupt: signals.descriptor)
    let heard = sound.onsets(at: try AubioTools.onsets(of: sound, interrupt: signals.descriptor))
    var times = heard.map(\.at)
    if !tool.invocation[onsets] {
      times = DetectedBeats.beats(of: heard, tracked: try AubioTools.beats(of: sound, interrupt: signals.descriptor))
      if tool.invocation[double] { times = SteadyBeats.doubled(times, heard) }
      if tool.invocation[halve] { times = SteadyBeats.halved(times, heard) }
    }
    let beats = PlayableBeats(times.map { Beat(at: $0) }, length: sound.length).beats
    guard !beats.isEmpty else {
      throw ToolFailure(
        "nothing is heard in \(source.title) that could be a beat", hint: "tap them: `starlight beats tap`")
    }
    let bpm = tool.invocation[onsets] ? nil : DetectedBeats.tempo(beats.map(\.at))
    try tool.putBeats(BeatMapText(bpm: bpm, beats: beats).text, to: output)
    if output != "-" {
      let more = bpm == nil ? nil : "--halve or --double where people would tap half as fast, or twice"
      tool.errors.note(beatsText(output, beats.count, bpm: bpm), hint: more)
    }
  }
}

/// What is made of the beats that a program heard.
enum DetectedBeats {
  /// How far from a beat an onset may be that is taken for it.
  private static let reachUs: Int64 = 40_000

  /// The beats that onsets lead to, where the tempo is steady; else those that aubiotrack heard. Both ascend.
  static func beats(of onsets: [HeardOnset], tracked: [Int64]) -> [Int64] {
    let steps = zip(tracked, tracked.dropFirst()).map { $1 - $0 }
    let proposed = Statistics(steps).flatMap { $0.median > 0 ? 60e6 / Double($0.median) : nil }
    return SteadyBeats.find(onsets, proposed: proposed) ?? snapped(tracked, to: onsets.map(\.at))
  }

  /// Each beat on the onset nearest to it, where one is near enough. Both ascend.
  static func snapped(_ beats: [Int64], to onsets: [Int64]) -> [Int64] {
    zip(beats, BeatDistances(beats.map { Beat(at: $0) }, onsets: onsets).all).map { at, near in
      near.onsetUs.flatMap { abs($0) <= reachUs ? at + $0 : nil } ?? at
    }
  }

  /// Beats a minute to a tenth, by the time from the first to the last; nil for fewer than eight, or where they are not even: a
  /// quarter of them or more farther apart, or nearer, than usual by a tenth.
  static func tempo(_ beats: [Int64]) -> Double? {
    let steps = zip(beats, beats.dropFirst()).map { $1 - $0 }
    guard steps.count >= 7, let usual = Statistics(steps)?.median, usual > 0 else { return nil }
    let even = steps.filter { abs($0 - usual) <= usual / 10 }
    guard even.count * 4 > steps.count * 3 else { return nil }
    let mean = Double(even.reduce(0, +)) / Double(even.count)
    let bpm = (600e6 / mean).rounded() / 10
    return (1...1_000).contains(bpm) ? bpm : nil
  }
}
