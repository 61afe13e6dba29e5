// SPDX-License-Identifier: Apache-2.0

import CommandTable
import StarlightClient
import Wire

enum CueCommand {
  static let command = ToolCommand(
    "cue", summary: "fires and stops cues: sounds, haptics and music changes as one",
    subcommands: [CueFireCommand.command, CueStopCommand.command])
}

enum CueFireCommand {
  static let cue = Argument(
    "NAME", help: "a cue; `starlight list cues` names them", completion: .output(of: "list cues --names"))
  static let at = OptionKey.duration("at", in: planAhead, help: "when it begins, counted from now")
  static let quantise = OptionKey.text(
    "quantise", value: "WHAT", help: "wait for the next beat, bar, or marker (by its name) of the music")
  static let align = OptionKey.choice(
    "align", value: "HOW", of: CueFire.Params.Align.allCases.map(\.rawValue),
    help: "wait for the slowest, haptics never before the sound, or each as soon as it can; else as the cue says")

  static let command = ToolCommand(
    "fire", summary: "fires a cue", arguments: [cue], options: [at.option, quantise.option, align.option],
    examples: [.init("starlight cue fire settle", "its sounds and haptics, together")], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let connection = try tool.connect(needsTime: true)
    let invocation = tool.invocation
    let name = invocation[cue] ?? ""
    let outputs = try connection.subscribeToHaptics()
    let status = try connection.ask(EngineStatus.self, Empty())
    let atUs = try tool.instant(at, connection)
    let askedUs = nowUs()
    let result = try connection.ask(
      CueFire.self,
      CueFire.Params(
        cue: name, atUs: atUs,
        quantise: invocation[quantise].map(Quantise.init),
        align: invocation[align].flatMap(CueFire.Params.Align.init), keepAfterDisconnectUs: longestKeptUs))
    tool.show(
      result,
      cueLines(
        result.id.map { "\(result.cue) (id \($0))" } ?? result.cue, result, askedUs: askedUs, outputs: outputs,
        silence: Hearing(status, onAnyOf: result.heardOn).silence, width: tool.out.readableWidth))
    // What is felt is waited for, so that Ctrl-C ends it; what is heard, and comes later, outlasts this program.
    if let felt = result.hapticAtUs, let id = result.id, try !waitForHaptics(connection, fromUs: felt) {
      _ = try connection.ask(CueStop.self, CueStop.Params(id: id))
    }
  }
}

/// How long what a cue sets off may go on behind the tool: as long as any client may ask for.
private let longestKeptUs: Int64 = 30_000_000

/// Waits until no pattern that began at `fromUs` or later plays any more, for half a minute at most; false for a signal.
private func waitForHaptics(_ connection: StarlightConnection, fromUs: Int64) throws(ToolFailure) -> Bool {
  let signals = SignalWatch()
  var playing: Set<Int64> = []
  var hasBegun = false
  let deadline = fromUs + 30_000_000
  while nowUs() < deadline, !hasBegun || !playing.isEmpty {
    while let notification = try connection.next(withinUs: 0) {
      guard let changed = notification.payload(HapticsChanged.self) else { continue }
      if changed.change == .started, notification.tUs >= fromUs {
        playing.insert(changed.player)
        hasBegun = true
      } else if changed.change != .looped {
        playing.remove(changed.player)
      }
    }
    let limit = hasBegun ? deadline : min(deadline, fromUs + 200_000)
    if !hasBegun, nowUs() > limit { return true }
    if hasBegun, playing.isEmpty { return true }
    _ = waitReadable([connection.descriptor, signals.descriptor], microseconds: limit - nowUs())
    if signals.take() != nil { return false }
  }
  return true
}

/// What a cue comes to, all instants counted from `askedUs`. `outputs` are the kinds of the haptic outputs, `silence` is
/// why its sounds are not heard.
func cueLines(
  _ name: String, _ result: CueFire.Result, askedUs: Int64, outputs: [EngineStatus.HapticOutput.Kind],
  silence: String? = nil,
  width: Int = .max
) -> [String] {
  if result.suppressed { return ["\(name): suppressed, it was fired within its cooldown"] }
  func due(_ verb: String, _ instantUs: Int64) -> String { "\(verb) in \(milliseconds(max(0, instantUs - askedUs)))" }
  var parts: [String] = []
  if let sound = result.soundAtUs { parts.append(silence ?? due("heard", sound)) }
  if let haptic = result.hapticAtUs {
    parts.append(unfelt(outputs) ?? (silence == nil ? result.skewUs.map(feltText) : nil) ?? due("felt", haptic))
  }
  if parts.isEmpty { parts.append(due("due", result.scheduledUs)) }
  return ["\(name): \(parts.joined(separator: ", "))\(late(result.lateUs))"]
    + result.skipped.flatMap { hanging("skipped: " + skipText($0), indent: 2, width: width) }
}

/// "sound game:click: sound is switched off".
func skipText(_ skip: CueSkip) -> String { "\(skip.step): \(skip.reason)" }

/// "felt 14.8 ms before it": what is felt beside what is heard.
private func feltText(_ skewUs: Int64) -> String {
  abs(skewUs) < 50 ? "felt with it" : "felt \(milliseconds(abs(skewUs))) \(skewUs < 0 ? "before" : "after") it"
}

enum CueStopCommand {
  static let handle = Argument("ID", help: "the number that `cue fire` showed")
  static let fade = OptionKey.duration(
    "fade", short: "f", CueStop.ranges.fade, help: "length of the fade of its sounds")

  static let command = ToolCommand(
    "stop", summary: "ends a cue: calls off what has not begun, and stops what has", arguments: [handle],
    options: [fade.option],
    examples: [.init("starlight cue stop 7", "a press that was let go of")], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let id = try handleNumber(tool.invocation[handle] ?? "", from: "cue fire")
    try tool.ask(
      CueStop.self, CueStop.Params(id: id, fadeUs: tool.invocation[fade].map(microseconds)), needsTime: true
    ) { stoppedLines($0, width: tool.out.readableWidth) }
  }
}

/// What became of the parts of a cue that was stopped, a line for each kind.
func stoppedLines(_ result: CueStop.Result, width: Int = .max) -> [String] {
  let kinds = [("called off", result.calledOff), ("stopped", result.stopped), ("too late for", result.tooLate)]
  let lines = kinds.filter { !$0.1.isEmpty }.flatMap { kind, parts in
    hanging("\(kind): \(parts.joined(separator: ", "))", indent: 2, width: width)
  }
  return lines.isEmpty ? ["nothing of it was done"] : lines
}
