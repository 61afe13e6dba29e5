// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Fades
import Wire

enum MusicPlayCommand {
  static let track = Argument(
    "NAME", help: "a track; `starlight list tracks` names them", completion: .output(of: "list tracks --names"))
  static let from = OptionKey.choice(
    "from", value: "WHERE", of: MusicFrom.allCases.map(\.rawValue),
    default: MusicPlay.ranges.from.fallback.rawValue,
    help: "where a track that still sounds begins: at its start, or where it is")
  static let crossfade = OptionKey.duration(
    "crossfade", short: "c", in: MusicPlay.ranges.crossfade.seconds,
    help: "length of the cross-fade, else as the pack says; 0 cuts")
  static let fadeIn = OptionKey.duration(
    "fade-in", in: MusicPlay.ranges.fadeIn.seconds,
    help: "length of the fade by which it comes in, in place of --crossfade")
  static let fadeOut = OptionKey.duration(
    "fade-out", in: MusicPlay.ranges.fadeOut.seconds,
    help: "length of the fade by which what plays goes out, in place of --crossfade")
  static let fadeCurve = OptionKey.choice(
    "fade-curve", value: "CURVE", of: FadeCurve.allCases.map(\.rawValue),
    help: "how loudness changes while it cross-fades, else as the pack says")
  static let position = OptionKey.duration("position", help: "where in the track to begin")
  static let gain = OptionKey.number("gain", MusicPlay.ranges.gain, help: "loudness, 1 as the pack has it")
  static let quantise = OptionKey.text(
    "quantise", value: "WHAT", help: "wait for the next beat, bar, or marker (by its name) of what plays")
  static let once = OptionKey.flag("once", help: "end after one pass, also where the pack loops it")

  static let command = ToolCommand(
    "play", summary: "plays a track, cross-fading from what plays", arguments: [track],
    options: [
      crossfade.option, fadeIn.option, fadeOut.option, fadeCurve.option, from.option, position.option, gain.option,
      once.option,
      plannedAt.option,
      quantise.option,
    ],
    examples: [
      .init("starlight music play audio_bgm_main", "cross-fades as its pack says"),
      .init(
        "starlight music play audio_bgm_finale --crossfade 2 --fade-curve linear", "two seconds, in a straight line"),
      .init("starlight music play audio_bgm_main --fade-in 3 --fade-out 0.5", "out quickly, in slowly"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let invocation = tool.invocation
    let name = invocation[track] ?? ""
    try refuseFile(name, .tracks)
    let connection = try tool.connect(needsTime: true)
    let hearing = try connection.hearing(.music)
    let result = try connection.ask(
      MusicPlay.self,
      MusicPlay.Params(
        track: name, from: invocation[from].flatMap(MusicFrom.init),
        atUs: try tool.instant(plannedAt, connection), crossfadeUs: invocation[crossfade].map(microseconds),
        fadeInUs: invocation[fadeIn].map(microseconds), fadeOutUs: invocation[fadeOut].map(microseconds),
        fadeCurve: invocation[fadeCurve].flatMap(FadeCurve.init), loop: invocation[once] ? false : nil,
        gain: invocation[gain], positionUs: invocation[position].map(microseconds),
        quantise: invocation[quantise].map(Quantise.init)))
    let place = result.positionUs == 0 ? "" : " from \(clockTime(result.positionUs))"
    tool.show(
      result,
      ["\(result.track)\(place) (plan \(result.plan)), \(hearing.text(result.scheduledUs))\(late(result.lateUs))"])
  }
}
