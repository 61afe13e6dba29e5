import CommandTable
import StarlightClient
import Wire

/// `starlight music`
enum MusicCommand: ToolCommand {
  static let track = Argument("NAME", help: "a track", completion: .output(of: "list tracks --names"))
  static let from = OptionKey.choice(
    "from", value: "WHERE", of: MusicFrom.allCases.map(\.rawValue),
    default: MusicPlay.parameters.from.fallback.rawValue,
    help: "where to begin when the track still sounds")
  static let crossfade = crossfade(MusicPlay.parameters.crossfade)
  static let seekCrossfade = crossfade(MusicSeek.parameters.crossfade)
  static let shape = OptionKey.choice(
    "shape", value: "SHAPE", of: FadeShape.allCases.map(\.rawValue),
    default: MusicPlay.parameters.fade.fallback.rawValue,
    help: "the cross-fade's shape")
  static let position = OptionKey.duration("position", help: "where in the track to begin")
  static let gain = OptionKey.number(
    "gain", in: MusicPlay.parameters.gain.range, default: MusicPlay.parameters.gain.fallback,
    help: "loudness, 1 as the pack has it")
  static let place = Argument("PLACE", help: "a place in the track, in seconds such as 12.5, or as 1:02.5")
  static let loudness = Argument(
    "GAIN",
    help: "loudness, \(MusicGain.parameters.gain.span), 1 as the pack has it; or decibels, "
      + "\(MusicGain.parameters.decibels.span), such as -6dB")
  static let wait = OptionKey.choice(
    "wait", value: "GRID", of: Quantise.allCases.map(\.rawValue), help: "begin on the next beat or bar of what plays")
  static let once = OptionKey.flag("once", help: "end after one pass")
  static let at = OptionKey.duration("at", in: planAhead, help: "how far from now the change is heard")
  static let stopFade = fade(MusicStop.parameters.fade)
  static let pauseFade = fade(MusicPause.parameters.fade)
  static let resumeFade = fade(MusicResume.parameters.fade)
  static let gainFade = fade(MusicGain.parameters.fade)

  static let command = Command(
    "music", summary: "plays, pauses, seeks and stops music",
    subcommands: [
      Command(
        "play", summary: "plays a track, cross-fading from what plays", arguments: [track],
        options: [
          crossfade.option, shape.option, from.option, position.option, gain.option, once.option, at.option,
          wait.option,
        ],
        examples: [
          .init("starlight music play main", "500 ms of cross-fade"),
          .init("starlight music play finale --fade 2 --shape linear", "two seconds, straight"),
        ]),
      Command("stop", summary: "fades the music out and forgets where it was", options: [stopFade.option, at.option]),
      Command("pause", summary: "pauses the music in place", options: [pauseFade.option, at.option]),
      Command("resume", summary: "goes on where the music was paused", options: [resumeFade.option, at.option]),
      Command(
        "seek", summary: "goes to another place of the track", arguments: [place],
        options: [seekCrossfade.option, at.option]),
      Command(
        "gain", summary: "changes the loudness of the track", arguments: [loudness],
        options: [gainFade.option, at.option]),
      Command("status", summary: "shows the track, its position and what fades"),
    ])

  private static func crossfade(_ parameter: OptionalParameter<Int64>) -> OptionKey<Double> {
    .duration(
      "fade", short: "f", in: parameter.seconds, default: Double(parameter.fallback) / 1e6,
      help: "length of the cross-fade; 0 cuts")
  }

  private static func fade(_ parameter: OptionalParameter<Int64>) -> OptionKey<Double> {
    .duration(
      "fade", short: "f", in: parameter.seconds, default: Double(parameter.fallback) / 1e6, help: "length of the fade")
  }

  static func run(_ tool: Tool) throws(ToolFailure) -> ExitCode {
    let connection = try tool.connect(needsTime: tool.verb != "status")
    switch tool.verb {
    case "play":
      let invocation = tool.invocation
      let result = try connection.ask(
        MusicPlay.self,
        MusicPlay.Params(
          track: invocation[track] ?? "", from: invocation[from].flatMap(MusicFrom.init),
          atUs: try tool.instant(at, connection), crossfadeUs: invocation[crossfade].map(microseconds),
          fade: invocation[shape].flatMap(FadeShape.init), loop: invocation[once] ? false : nil,
          gain: invocation[gain], positionUs: invocation[position].map(microseconds),
          quantise: invocation[wait].flatMap(Quantise.init)))
      let place = result.positionUs == 0 ? "" : " from \(clockTime(result.positionUs))"
      tool.show(result, ["\(result.track)\(place), \(heard(result.scheduledUs))\(late(result.lateUs))"])
    case "seek":
      let seconds = try musicPlace(tool.invocation[place] ?? "")
      let result = try connection.ask(
        MusicSeek.self,
        MusicSeek.Params(
          positionUs: microseconds(seconds), atUs: try tool.instant(at, connection),
          crossfadeUs: tool.invocation[seekCrossfade].map(microseconds)))
      tool.show(result, ["\(result.track) from \(clockTime(result.positionUs)), \(heard(result.scheduledUs))"])
    case "gain":
      let text = tool.invocation[loudness] ?? ""
      let (linear, decibels) = try musicGain(text)
      let result = try connection.ask(
        MusicGain.self,
        MusicGain.Params(
          gain: linear, gainDb: decibels, atUs: try tool.instant(at, connection),
          fadeUs: tool.invocation[gainFade].map(microseconds)))
      tool.show(result, ["gain \(text), \(heard(result.scheduledUs))\(late(result.lateUs))"])
    case "status":
      let status = try connection.ask(MusicStatus.self, Empty())
      tool.show(status, [musicText(status)])
    default:
      let at = try tool.instant(at, connection)
      func params(_ fade: OptionKey<Double>) -> FadeParams {
        FadeParams(atUs: at, fadeUs: tool.invocation[fade].map(microseconds))
      }
      let (result, word) =
        switch tool.verb {
        case "pause": (try connection.ask(MusicPause.self, params(pauseFade)), "paused")
        case "resume": (try connection.ask(MusicResume.self, params(resumeFade)), "resumed")
        default: (try connection.ask(MusicStop.self, params(stopFade)), "stopped")
        }
      tool.show(result, ["\(word), \(heard(result.scheduledUs))\(late(result.lateUs))"])
    }
    return .success
  }
}

/// A loudness as people type it: "0.5" is a factor, "-6dB" decibels.
func musicGain(_ text: String) throws(ToolFailure) -> (linear: Double?, decibels: Double?) {
  let isDecibels = text.lowercased().hasSuffix("db")
  guard let number = Double(isDecibels ? text.dropLast(2) : text[...]), number.isFinite else {
    throw ToolFailure("`\(text)` is no loudness", hint: "give 0.5 or -6dB", exit: .usage)
  }
  return isDecibels ? (nil, number) : (number, nil)
}

/// A place in a track in seconds, below a day: "62.5", or "1:02.5" as the status shows it.
func musicPlace(_ text: String) throws(ToolFailure) -> Double {
  let parts = text.split(separator: ":", omittingEmptySubsequences: false)
  if let seconds = parts.last.flatMap({ Double($0) }), seconds >= 0 {
    if parts.count == 1, seconds < 86_400 { return seconds }
    if parts.count == 2, seconds < 60, let minutes = Int(parts[0]), (0..<1_440).contains(minutes) {
      return Double(minutes * 60) + seconds
    }
  }
  throw ToolFailure(
    "`\(text)` is no place in a track", hint: "give it in seconds, such as 12.5, or as 1:02.5", exit: .usage)
}

/// How far from now something may be planned, in seconds.
let planAhead = 0...Double(farthestPlanUs) / 1e6

extension Tool {
  /// The instant that an option in seconds from now means, on the daemon's clock.
  func instant(
    _ key: OptionKey<Double>, _ connection: StarlightConnection
  ) throws(ToolFailure) -> Int64? {
    guard let seconds = invocation[key] else { return nil }
    return try connection.ask(ClockNow.self, Empty()).nowUs + microseconds(seconds)
  }
}

/// "heard in 5.3 ms": how far off an instant is.
func heard(_ scheduledUs: Int64, _ verb: String = "heard") -> String {
  "\(verb) in \(milliseconds(max(0, scheduledUs - nowUs())))"
}

/// ", 2.0 ms late", or nothing.
func late(_ lateUs: Int64) -> String { lateUs > 0 ? ", \(milliseconds(lateUs)) late" : "" }
