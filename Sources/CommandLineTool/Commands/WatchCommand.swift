// SPDX-License-Identifier: Apache-2.0

import CommandTable
import StarlightClient
import Wire

enum WatchCommand {
  static let topic = Argument(
    "TOPIC", help: "what to watch, everything without it", isOptional: true, repeats: true,
    completion: .choices(Topic.allCases.map(\.rawValue)))
  static let limit = OptionKey.integer("count", short: "n", in: 1...Int.max, help: "end after so many")

  static let command = ToolCommand(
    "watch", summary: "shows what the daemon reports, one line each, until Ctrl-C",
    discussion: [
      "Each line begins with the instant that it is about, in seconds since watching began, negative before that; instants to "
        + "come are reported ahead. With --json each line is the notification just as it came."
    ],
    arguments: [topic], options: [limit.option],
    examples: [
      .init("starlight watch rhythm music", "a chapter as it is played"),
      .init("starlight watch haptics --json | jq .params.intensity", "for machines"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let connection = try tool.connect()
    let topics = tool.invocation.all(topic).compactMap(Topic.init)
    let signals = SignalWatch()
    let snapshot = try connection.subscribe(to: topics.isEmpty ? nil : topics)
    tool.introduce("watching; Ctrl-C ends it. Music: \(musicText(snapshot.music))")
    try tool.follow(connection, atMost: tool.invocation[limit], signals) { notification in
      let text = describe(Event.Notification(notification), line: notification.line)
      return watchLine(notification.method, text, sinceUs: notification.tUs - snapshot.nowUs, tool.out.style)
    }
  }
}

extension Tool {
  /// Says what is followed, to whoever sits at the terminal.
  func introduce(_ text: String) {
    if !wantsJSON, out.isInteractive { errors.terminal.line(out.style.paint(text, .dim)) }
  }

  /// Prints what is told until a signal comes, or until so many were told that `line` has words for. With --json all is printed
  /// just as it came.
  func follow(
    _ connection: StarlightConnection, atMost limit: Int?, _ signals: borrowing SignalWatch,
    line: (ReceivedNotification) -> String?
  ) throws(ToolFailure) {
    var left = limit ?? Int.max
    while !out.isAbandoned {
      while let notification = try connection.next(withinUs: 0) {
        let text = line(notification)
        if wantsJSON {
          out.line(String(decoding: notification.line, as: UTF8.self))
        } else if let text {
          out.line(clipped(text, to: out.readableWidth))
        }
        if text != nil { left -= 1 }
        if left == 0 { return }
      }
      _ = waitReadable([connection.descriptor, signals.descriptor], output: out.descriptor, microseconds: 60_000_000)
      if signals.take() != nil { return }
    }
  }
}

func watchLine(_ method: String, _ text: String, sinceUs: Int64, _ style: Style) -> String {
  let time = fixed(Double(sinceUs) / 1e6, 3).rightAligned(9)
  return "\(style.paint(time, .dim))  \(style.paint(method.padded(17), .accent))  \(text)"
}

/// What a notification says, for people; one that is not known as JSON.
func describe(_ told: Event.Notification?, line: [UInt8]) -> String {
  switch told {
  case .musicChanged(let changed): return musicChange(changed)
  case .musicBeatAhead(let beat): return "\(musicBeat(beat.track, beat.beat, beat.bar)) comes into sight"
  case .musicBeat(let beat): return musicBeat(beat.track, beat.beat, beat.bar)
  case .musicBeatRecalled(let beat): return "beat \(beat.beat) of \(beat.track) will not be heard then"
  case .musicMarkerAhead(let marker): return "\(marker.marker) of \(marker.track) comes into sight"
  case .musicMarker(let marker): return "\(marker.marker) of \(marker.track)"
  case .musicMarkerRecalled(let marker): return "\(marker.marker) of \(marker.track) will not be heard then"
  case .soundFinished(let sound): return "\(sound.sound) (id \(sound.id)) \(sound.reason.rawValue)"
  case .hapticsChanged(let changed): return "\(changed.source) (player \(changed.player)) \(changed.change.rawValue)"
  case .hapticsUnheard(let told):
    return "sounds of \(told.source) (player \(told.player)) "
      + (told.reason == .stolen ? "gave their voices to others'" : "find no voice")
  case .hapticsLevel(let level):
    return levelBar(intensity: level.intensity, sharpness: level.sharpness, width: 20, style: .plain)
      + " intensity \(fixed(level.intensity, 2)), sharpness \(fixed(level.sharpness, 2))"
  case .rhythmSpawn(let spawn): return "beat \(spawn.beat)\(inLane(spawn.lane)) comes into sight"
  case .rhythmBeat(let beat): return "beat \(beat.beat)\(inLane(beat.lane))"
  case .rhythmJudgement(let judgement):
    let beat = judgement.beat.map { " beat \($0)" } ?? ""
    let error = judgement.errorUs.map { ", \(signedMilliseconds($0))" } ?? ""
    return "\(judgement.verdict.rawValue)\(beat)\(inLane(judgement.lane))\(error)"
  case .rhythmTapped(let tapped):
    let came = tapped.verdict.map { $0.rawValue } ?? "refused: \(tapped.reason ?? "")"
    return "\(tapped.device) tapped\(inLane(tapped.lane)): \(came)"
  case .rhythmBindingChanged(let changed):
    let devices = changed.devices.map { "\($0.name) \($0.state.rawValue)" }.joined(separator: ", ")
    return "binding \(changed.binding): " + (devices.isEmpty ? "no device" : devices)
      + (changed.lostOn == nil ? "" : ", presses may be missing")
  case .rhythmAssist(let assist): return "the window is ±\(assist.windowUs / 1_000) ms from here on"
  case .rhythmChanged(let changed): return "\(changed.chapter) \(chapterChange(changed))"
  case .rhythmComplete(let complete):
    return "\(complete.chapter) \(complete.stopped ? "was stopped" : "is over"): \(scoreText(complete.score))"
  case .cueFired(let fired):
    return fired.cue + (fired.skipped.isEmpty ? "" : ", skipped \(fired.skipped.map(skipText).joined(separator: "; "))")
  case .parameterChanged(let changed):
    return "\(changed.parameter) to \(fixed(changed.value, 2)) over \(milliseconds(changed.overUs))"
  case .settingsChanged(let changed): return switchesText(changed.settings)
  case .timelineCorrected(let correction):
    return "\(count(Int(clamping: correction.lostFrames), "frame")) lost, "
      + "corrected by \(signedMilliseconds(correction.correctionUs)), \(count(correction.xruns, "xrun")) so far"
  case .devicesChanged(let changed):
    return ([changed.audio] + (changed.haptics.map(hapticsTexts) ?? [])).joined(separator: "; ")
  case .engineProblem(let told): return told.problem.description
  case .enginePaused(let told): return "all stands still" + (told.sleep ? ": the system goes to sleep" : "")
  case .engineResumed(let told): return "all goes on, \(fixed(Double(told.movedUs) / 1e6, 3)) s later than told"
  case .packLoading(let told): return packText(told)
  case .musicCancelled(let told):
    return "\(told.verb.rawValue) (plan \(told.plan)) is called off: \(told.reason.rawValue)"
  case .cueCancelled(let told): return "\(told.cue) (id \(told.id)) is called off: \(told.reason.rawValue)"
  case nil:
    guard case .object(let message)? = jsonValue(line), let params = message["params"] else { return "" }
    return jsonText(params, indented: false)
  }
}

private func packText(_ told: PackLoading) -> String {
  let name = told.pack ?? told.path
  switch told.change {
  case .reading: return "\(name) is being read"
  case .taken: return "\(name) was taken" + (told.counts.map { ", " + packCountsText($0) } ?? "")
  case .refused: return "\(name) was not taken: \(count(told.problems ?? 0, "problem"))"
  case .unloaded: return "\(name) was taken out"
  }
}

private func musicBeat(_ track: String, _ beat: Int, _ bar: Int) -> String {
  "beat \(beat), bar \(bar) of \(track)"
}

private func inLane(_ lane: String?) -> String { lane.map { " \($0)" } ?? "" }
