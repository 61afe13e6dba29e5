import CommandTable
import Wire

/// `starlight sound`
enum SoundCommand: ToolCommand {
  static let sound = Argument("NAME", help: "a sound", completion: .output(of: "list sounds --names"))
  private static let parameters = SoundPlay.parameters
  static let gain = OptionKey.number(
    "gain", short: "g", in: parameters.gain.range, default: parameters.gain.fallback,
    help: "loudness, 1 as the pack has it")
  static let pan = OptionKey.number(
    "pan", in: parameters.pan.range, default: parameters.pan.fallback, help: "from left to right")
  static let pitch = OptionKey.number(
    "pitch", in: parameters.pitch.range, default: parameters.pitch.fallback, help: "playback rate, 1 as recorded")
  static let loop = OptionKey.flag("loop", help: "repeat until it is stopped")
  static let at = OptionKey.duration("at", in: planAhead, help: "how far from now it is heard")
  static let handle = Argument("ID", help: "the number that `sound play` showed; all without it", isOptional: true)
  static let fade = OptionKey.duration(
    "fade", short: "f", in: SoundStop.parameters.fade.seconds,
    default: Double(SoundStop.parameters.fade.fallback) / 1e6, help: "length of the fade")

  static let command = Command(
    "sound", summary: "plays and stops sound effects",
    subcommands: [
      Command(
        "play", summary: "plays a sound effect", arguments: [sound],
        options: [gain.option, pan.option, pitch.option, loop.option, at.option],
        examples: [
          .init("starlight sound play sfx_click", "as soon as it can be heard"),
          .init("starlight sound play sfx_click --pan -0.5 --at 0.25", "from the left, a quarter of a second from now"),
        ]),
      Command(
        "stop", summary: "stops one sound effect, or all", arguments: [handle], options: [fade.option, at.option]),
    ])

  static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let connection = try tool.connect(needsTime: true)
    let invocation = tool.invocation
    if tool.verb == "stop" {
      let id = try invocation[handle].map { text throws(ToolFailure) in try number(text) }
      let result = try connection.ask(
        SoundStop.self,
        SoundStop.Params(
          id: id, atUs: try tool.instant(at, connection), fadeUs: invocation[fade].map(microseconds)))
      tool.show(result, ["stopped, \(heard(result.scheduledUs))\(late(result.lateUs))"])
      return .success
    }
    let name = invocation[sound] ?? ""
    let result = try connection.ask(
      SoundPlay.self,
      SoundPlay.Params(
        sound: name, atUs: try tool.instant(at, connection), gain: invocation[gain], pan: invocation[pan],
        pitch: invocation[pitch], loop: invocation[loop] ? true : nil))
    tool.show(
      result,
      ["\(name) (id \(result.id), \(length(result.durationUs))), \(heard(result.scheduledUs))\(late(result.lateUs))"])
    return .success
  }

  private static func number(_ text: String) throws(ToolFailure) -> Int64 {
    guard let id = Int64(text) else {
      throw ToolFailure("ID: `\(text)` is not a number", hint: "see `starlight sound stop --help`", exit: .usage)
    }
    return id
  }
}
