// SPDX-License-Identifier: Apache-2.0

import CommandTable

enum PackImportCommand {
  static let sources = Argument(
    "SOURCE",
    help: "a sound file, a beat map (.osu, .sm, .ssc, .mid, or a text of times), a pattern, or a folder of such",
    repeats: true, completion: .files)
  static let into = OptionKey.path(
    "into", value: "FOLDER", help: "the pack's folder, made where it is not there")
  static let target = OptionKey.choice(
    "to", value: "FORMAT", of: AudioTarget.allCases.map(\.rawValue), default: AudioTarget.flac.rawValue,
    help: "what sound becomes: flac, which loses nothing, or opus, which is small")
  static let shift = OptionKey.number(
    "shift", value: "SECONDS", in: -86_400...86_400, default: 0,
    help: "added to all times of beats; -0.012 has them 12 ms earlier")

  static let command = ToolCommand(
    "import", summary: "brings a game's sounds, beats and patterns into a pack",
    discussion: [
      "Sound that the daemon does not read, or not to the sample, becomes FLAC or Opus: .m4a, MP3, WAV and whatever ffmpeg "
        + "reads. What the encoder put before it and behind it is left out, so that a click stays at its sample and a loop keeps "
        + "its length; where a format cannot say where its sound begins, that is said. FLAC, Ogg and Opus are copied. Loop "
        + "points stay.",
      "From 10 s on a sound is a track, else a sound; a folder called music, or sounds, sfx or voice, says so itself. "
        + "Beats of .osu, .sm, .ssc, MIDI and lists of times become beat maps, and with their sound chapters.",
      "Either all files come, with their entries in pack.json, or nothing changes. Files that are "
        + "there are replaced by --force alone; entries of pack.json stay as they are. Needs ffmpeg (apt install ffmpeg), but no daemon.",
    ],
    arguments: [sources], options: [into.option, target.option, shift.option, replacing.option],
    examples: [
      .init("starlight pack import ~/game/assets --into lighthouse", "all that a folder holds, as a new pack"),
      .init(
        "starlight pack import storm.m4a storm.osu --into lighthouse",
        "a track and its beats, into a pack that is there"),
      .init("starlight pack import --to opus --force music --into lighthouse", "again, and smaller"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    guard let folder = tool.invocation[into] else {
      throw .usage("no pack is named", hint: "name its folder: --into lighthouse")
    }
    let signals = SignalWatch()
    let sources = try ImportSources(tool.invocation.all(sources))
    guard !sources.files.isEmpty else {
      throw ToolFailure(
        "there is nothing to import", hint: "name sound files, beat maps, patterns, or a folder of them")
    }
    var manner = PackImport.Manner(interrupt: signals.descriptor)
    manner.target = tool.invocation[target].flatMap(AudioTarget.init) ?? .flac
    manner.replaces = tool.invocation[replacing]
    manner.shift = microseconds(tool.invocation[shift] ?? 0)
    let pack = PackReloadingCommands.absolutePath(folder)
    var job = try PackImport(into: pack, manner, schemas: PackNewCommand.schemas())
    try job.take(sources) { one in
      if !tool.wantsJSON { tool.out.line(line(one)) }
      for note in one.notes { tool.errors.note("\(one.source): \(note)") }
    }
    try job.finish()
    tool.show(
      Report(path: pack, imported: job.imported, leftAlone: sources.leftAlone), summary(job.imported, pack, tool))
    if !sources.leftAlone.isEmpty, !tool.wantsJSON {
      tool.errors.note(
        "left alone: " + sources.leftAlone.prefix(8).joined(separator: ", ")
          + (sources.leftAlone.count > 8 ? " and \(sources.leftAlone.count - 8) more" : ""))
    }
    let problems = LintedPacks([pack]).problems.count
    if problems > 0 {
      tool.errors.note(
        "the pack has \(count(problems, "problem"))",
        hint: "`starlight pack check \(quotedForShell(folder))` tells them")
    }
  }

  /// "music/calm.flac   track calm, 1:04 min".
  private static func line(_ one: PackImport.Imported) -> String {
    var parts = ["\(one.kind) \(one.name ?? "")"]
    if let frames = one.frames, let rate = one.rate {
      parts.append(length(Int64(Double(frames) * 1e6 / Double(rate))) + ", \(frames) frames of \(rate) Hz")
    }
    if let beats = one.beats { parts.append(count(beats, "beat")) }
    return one.file.padded(28) + "  " + parts.joined(separator: ", ")
  }

  private static func summary(_ imported: [PackImport.Imported], _ pack: String, _ tool: Tool) -> [String] {
    let kinds = ["track", "sound", "pattern", "chapter"].compactMap { kind in
      let number = imported.count { $0.kind == kind }
      return number > 0 ? count(number, kind) : nil
    }
    let place = quotedForShell(pack)
    return [
      "\(pack): " + (kinds.isEmpty ? "beat maps alone" : kinds.joined(separator: ", ")),
      "`\(typedName("starlight", environment: tool.environment)) pack load \(place)` has a daemon play it",
    ]
  }

  /// What `--json` prints.
  private struct Report: Encodable {
    var path: String
    var imported: [PackImport.Imported]
    var leftAlone: [String]
  }
}
