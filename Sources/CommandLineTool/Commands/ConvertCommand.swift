// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Haptics
import PatternTools
import Timing

enum ConvertCommand {
  static let pattern = Argument(
    "NAME|FILE", help: "a pattern, an .ahap file, a sound file, or - for either on the standard input",
    completion: .output(of: "list patterns --names"))
  static let target = Argument(
    "OUT", help: "the file to write, which a WAV file needs; without it the standard output", isOptional: true,
    completion: .files)
  static let format = OptionKey.choice(
    "to", value: "FORMAT", of: Format.allCases.map(\.rawValue),
    help: "the format to write; without it the one that OUT ends with")
  static let rate = OptionKey.integer(
    "rate", value: "HZ", in: 1_000...192_000, default: 8_000, help: "samples a second of a WAV file")

  static let command = ToolCommand(
    "convert", summary: "turns a haptic pattern into a picture, a table or samples, a sound into a pattern",
    discussion: [
      "csv: time, intensity and sharpness at each change. svg: a picture. wav: what a voice coil would be sent, 65 to "
        + "300 Hz by sharpness. ahap: the same file, laid out anew and nothing else changed. Needs no daemon.",
      "A sound (WAV, FLAC, Ogg, Opus, MP3, AIFF; a minute at most) gets a haptic twin: its envelope becomes intensity, its "
        + "brightness sharpness, its onsets transients.",
      "For git to show what changed: `git config diff.ahap.textconv \"starlight convert --to csv\"`, and "
        + "`*.ahap diff=ahap` in .gitattributes.",
    ],
    arguments: [pattern, target], options: [format.option, rate.option, replacing.option],
    examples: [
      .init("starlight convert heartbeat heartbeat.svg", "a picture of a pattern of the pack"),
      .init("starlight convert ./boing.ahap --to csv | head", "how it begins, in figures"),
      .init("starlight convert explosion.wav explosion.ahap", "a pattern that feels as the sound sounds"),
      .init("starlight convert explosion.wav explosion.ahap --force", "again, in place of that one"),
      .init("sox in.wav -t wav - trim 0 2 | starlight convert - out.ahap", "the same of what a program makes"),
    ], action: ToolAction(run))

  enum Format: String, CaseIterable {
    case ahap, csv, svg, wav
  }

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let name = tool.invocation[pattern] ?? ""
    let out = tool.invocation[target] ?? "-"
    let format = try chosenFormat(tool.invocation[format], out: out)
    try checkPlace(out, tool)
    let input = try ConvertInput(name, tool)
    if format == .ahap, case .file(let name, let bytes) = input {
      let text: String
      do throws(AHAPError) { text = try AHAPLint.canonical(bytes, name: name) } catch { throw ToolFailure(error) }
      return try tool.put(text, to: out)
    }
    let (title, document) = try loadPattern(input, tool)
    let compiled = HapticPattern(document)
    try check(compiled, title, for: format)
    switch format {
    case .ahap: try tool.put(document.text(), to: out)
    case .csv: try tool.put(compiled.table(), to: out)
    case .svg: try tool.put(HapticPicture(title: title).svg(compiled), to: out)
    case .wav:
      let rate = tool.invocation[rate] ?? 8_000
      var coil = VoiceCoil(compiled, rate: rate)
      try replaceFile(out) { path throws(ToolFailure) in
        try writeWave(coil.frames, rate: rate, to: path, named: "the samples") { coil.render(into: $0) }
      }
      tool.tellWritten(out)
    }
  }

  /// What is written point by point must not fill a disk: a tap a day away is a few bytes of AHAP.
  static func check(_ pattern: HapticPattern, _ title: String, for format: Format) throws(ToolFailure) {
    guard format == .csv || format == .wav, pattern.duration > longest else { return }
    throw ToolFailure(
      "\(title) lasts \(pattern.duration.seconds) s, and at most \(longest.seconds) s are written as \(format.rawValue)",
      hint: "--to svg and --to ahap take any length")
  }

  /// Ten minutes: longer than any pattern that is felt.
  private static let longest = Interval.milliseconds(600_000)

  static func chosenFormat(_ named: String?, out: String) throws(ToolFailure) -> Format {
    let ending = out.contains(".") ? out.split(separator: ".").last.map { $0.lowercased() } : nil
    guard let format = Format(rawValue: named ?? ending ?? "") else {
      throw .usage(
        ending.map { "a pattern cannot be converted to .\($0)" } ?? "no format is given",
        hint: "give --to ahap, csv, svg or wav, or a file that ends so")
    }
    if format == .wav, out == "-" {
      throw .usage("a WAV file cannot go to the standard output", hint: "name a file")
    }
    return format
  }
}
