import CommandTable
import Haptics
import StarlightClient
import Timing
import Wire

/// `starlight audition`
enum AuditionCommand: ToolCommand {
  static let pattern = Argument(
    "NAME|FILE", help: "a pattern, an .ahap file, or - for the standard input",
    completion: .output(of: "list patterns --names"))
  static let rate = OptionKey.number("rate", in: 0.1...10, default: 1, help: "playback rate")
  static let loop = OptionKey.flag("loop", help: "repeat until Ctrl-C")
  static let draw = OptionKey.flag("draw", help: "only draw it, play nothing")
  static let silent = OptionKey.flag("silent", help: "do not let it be heard, also where there is no pad to feel it by")
  static let device = OptionKey.text(
    "device", value: "PCM", help: "the sound device to hear it by, as `starlightd --device` takes it")
  static let picture = OptionKey.path("svg", value: "FILE", help: "only write its picture, play nothing")
  static let height = OptionKey.integer("height", in: 2...40, default: 8, help: "rows for intensity")

  static let command = Command(
    "audition", summary: "draws a haptic pattern while it plays",
    discussion: [
      "Plays through the running daemon; without one it is drawn on this program's own clock. Where there is a sound "
        + "device and no pad it is heard: intensity as loudness, sharpness as pitch. Transients are spikes, sharpness is "
        + "colour (blue round, yellow crisp) and the rows below. Into a file or a pipe it draws once."
    ],
    arguments: [pattern],
    options: [rate.option, loop.option, silent.option, device.option, draw.option, picture.option, height.option],
    examples: [
      .init("starlight audition thud", "a pattern of the pack"),
      .init("starlight audition ./boing.ahap --rate 0.25", "a file, four times slower"),
      .init("starlight audition heartbeat --draw > heartbeat.txt", "the picture alone"),
    ])

  static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    var source = try PatternSource(tool.invocation[pattern] ?? "")
    let connection = tool.invocation[draw] || tool.invocation[picture] != nil ? nil : try daemonIfAny(tool)
    if source.document == nil {
      let library =
        try connection.map { connection throws(ToolFailure) in
          PatternLibrary(try connection.ask(PackList.self, Empty()))
        } ?? PatternLibrary(environment: tool.environment)
      source.document = try library.document(named: source.title)
    }
    guard let document = source.document else { return .failure }
    if let path = tool.invocation[picture] {
      try replaceFile(path, with: Array(HapticPicture(title: source.title).svg(HapticPattern(document)).utf8))
      return .success
    }
    if tool.wantsJSON {
      tool.out.line(jsonText(Sketch(document), indented: tool.out.isInteractive))
      return .success
    }
    source.complain(to: tool.errors)
    let audition = Audition(tool: tool, title: source.title, document: document)
    if !tool.out.isInteractive || tool.invocation[draw] { audition.drawOnce() }
    guard !tool.invocation[draw] else { return .success }
    if let connection {
      try audition.play(source, through: connection)
    } else if tool.out.isInteractive {
      try audition.playAlone()
    }
    return .success
  }

  /// A connection, or nil when no daemon runs; any other failure is one.
  private static func daemonIfAny(_ tool: Tool) throws(ToolFailure) -> StarlightConnection? {
    do throws(ToolFailure) {
      return try tool.connect()
    } catch {
      if error.exit == .noDaemon { return nil }
      throw error
    }
  }
}

/// A pattern sampled for machines: a hundred columns at most, as drawn.
private struct Sketch: Encodable {
  struct Point: Encodable {
    var atUs: Int64
    var intensity: Double
    var sharpness: Double
    var transient: Bool
  }

  var durationUs: Int64
  var events: Int
  var points: [Point]

  init(_ document: AHAPDocument) {
    let pattern = HapticPattern(document)
    durationUs = pattern.duration.microseconds
    events = pattern.eventCount
    let envelope = Envelope(document, columns: 100)
    points = envelope.columns.enumerated().map { index, column in
      Point(
        atUs: envelope.span.microseconds * Int64(index) / 100, intensity: max(column.body, column.spike ?? 0),
        sharpness: column.sharpness, transient: column.spike != nil)
    }
  }
}
