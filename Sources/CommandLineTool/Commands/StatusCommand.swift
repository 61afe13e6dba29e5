// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

enum StatusCommand {
  static let command = ToolCommand(
    "status", summary: "shows what the daemon does, with what, and how well",
    examples: [.init("starlight status --json | jq .audio.xruns", "one figure, for a script")],
    action: ToolAction { tool throws(ToolFailure) in
      try tool.ask(EngineStatus.self, Empty()) { statusLines($0, width: tool.out.readableWidth) }
    })
}

func statusLines(_ status: EngineStatus.Result, width: Int = .max) -> [String] {
  let audio = status.audio
  let resources = status.resources
  var rows: [[String]] = [
    [
      "Daemon",
      "starlightd \(status.version), up \(length(status.uptimeUs)), \(status.clock.rawValue) clock, "
        + count(status.clients, "client"),
    ],
    ["Audio", audio.message],
    ["", audioFormat(audio)],
    ["", audioHealth(audio)],
  ]
  rows += headed("Haptics", hapticsTexts(status.haptics))
  if let paused = status.paused { rows.append(["Engine", pauseText(paused)]) }
  rows.append(["Music", musicText(status.music)])
  rows.append(["Chapter", chapterText(status.rhythm)])
  rows.append(["Switches", switchesText(status.settings)])
  // A stepped clock may stand still while the processor works.
  let share =
    status.clock == .live
    ? " (\(fixed(Double(resources.cpuUs) / Double(max(1, status.uptimeUs)) * 100, 1)) %)" : ""
  rows.append([
    "Resources",
    "\(size(resources.residentBytes)) resident (peak \(size(resources.peakResidentBytes))), "
      + "\(length(resources.cpuUs)) of processor time\(share)",
  ])
  rows += headed("Packs", (status.untaken ?? []).map { untakenText($0, nowUs: status.nowUs) })
  rows += headed("Problems", status.problems.map(\.description))
  return columns(rows, width: width)
}

/// "lighthouse was read 12 s ago and not taken, what was read of it before plays on: pack.json:3:5: ...; ...".
func untakenText(_ reading: UntakenReading, nowUs: Int64) -> String {
  let more = reading.problemCount > 1 ? " (and \(count(reading.problemCount - 1, "problem")) more)" : ""
  return untakenOutcome(reading, nowUs: nowUs) + ", what was read of it before plays on: "
    + reading.problem.inPack.description + more
}

/// "lighthouse was read 12 s ago and not taken".
func untakenOutcome(_ reading: UntakenReading, nowUs: Int64) -> String {
  "\(reading.pack) was read \(length(max(0, nowUs - reading.atUs))) ago and not taken"
}

/// What can be felt, and by what: a line for each output.
func hapticsTexts(_ outputs: [EngineStatus.HapticOutput]) -> [String] {
  let real = outputs.filter { $0.kind != .null }
  if real.isEmpty { return ["nothing is felt: no pad with force feedback is used; `starlight doctor` says why"] }
  return real.map { output in
    if output.kind == .log { return "\(output.name): all that is felt is written there" }
    let place = output.path.map { " at \($0)" } ?? ""
    let gain = output.gain < 1 ? ", gain \(fixed(output.gain, 2))" : ""
    let state = output.state == .ready ? "" : ", \(output.state.rawValue)"
    return "\(output.name)\(place)\(state), told \(milliseconds(output.leadUs, places: 0)) ahead\(gain)"
  }
}

/// "48000 Hz, periods of 256 frames in a buffer of 1024, SCHED_FIFO".
func audioFormat(_ audio: EngineStatus.Audio) -> String {
  let scheduling = audio.scheduling.isRealTime ? "SCHED_FIFO" : "no real-time scheduling"
  return "\(audio.rate) Hz, periods of \(audio.periodFrames) frames, buffer of \(audio.bufferFrames), \(scheduling)"
}

private func audioHealth(_ audio: EngineStatus.Audio) -> String {
  "lead \(milliseconds(audio.leadUs))"
    + (audio.deviceLeadUs == 0 ? "" : " (\(signedMilliseconds(audio.deviceLeadUs)) of it by calibration)")
    + ", \(count(audio.xruns, "xrun")), \(count(audio.lateStarts, "late start")), \(count(audio.activeVoices, "voice")), "
    + "peak \(fixed(audio.peak, 2))"
}

/// "playing main, 1:07.3 of 2:55 min, 85 bpm".
func musicText(_ music: MusicStatus.Result) -> String {
  guard let track = music.track, music.state != .stopped else {
    return "stopped" + fadingText(music.fading)
  }
  var text = "\(music.state.rawValue) \(track)"
  if let position = music.positionUs { text += ", \(clockTime(position))" }
  if let duration = music.durationUs { text += " of \(length(duration))" }
  if let bpm = music.bpm { text += ", \(fixed(bpm, bpm == bpm.rounded() ? 0 : 1)) bpm" }
  return text + fadingText(music.fading)
}

private func fadingText(_ tracks: [String]) -> String {
  tracks.isEmpty ? "" : ", fading out \(tracks.joined(separator: ", "))"
}

private func chapterText(_ rhythm: RhythmStatus.Result) -> String {
  guard let chapter = rhythm.chapter else { return "none" }
  return "\(chapter), \(placeText(rhythm)): \(scoreText(rhythm.score))"
}

/// "at 0:12.3", "paused at 0:12.3" or "over".
func placeText(_ rhythm: RhythmStatus.Result) -> String {
  guard rhythm.running else { return "over" }
  return (rhythm.pausedUs == nil ? "" : "paused ") + "at \(clockTime(rhythm.positionUs ?? 0))"
}

/// "5 hits, 1 miss, 0 ghosts, 26 to come, windows widened".
func scoreText(_ score: Score) -> String {
  var text = tallyText(hits: score.hits, misses: score.misses, ghosts: score.ghosts)
  if score.voided > 0 { text += ", \(score.voided) void (the daemon stood still)" }
  if score.remaining > 0 { text += ", \(score.remaining) to come" }
  if score.assisted { text += ", windows widened" }
  return text
}

/// "5 hits, 1 miss, 0 ghosts".
func tallyText(hits: Int, misses: Int, ghosts: Int) -> String {
  "\(judgedText(hits: hits, misses: misses)), \(count(ghosts, "ghost"))"
}

/// "5 hits, 1 miss".
func judgedText(hits: Int, misses: Int) -> String {
  "\(count(hits, "hit")), \(count(misses, "miss", plural: "misses"))"
}

/// "music on, sound off, haptics on"; with volumes that are not full, of what is on.
func switchesText(_ settings: Settings) -> String {
  func word(_ on: Bool) -> String { on ? "on" : "off" }
  func volume(_ value: Double) -> String { value < 1 ? " at \(Int((value * 100).rounded())) %" : "" }
  let master = settings.masterVolume < 1 ? "all\(volume(settings.masterVolume)), " : ""
  let voice = settings.voiceVolume < 1 ? "voice\(volume(settings.voiceVolume)), " : ""
  return master + "music \(word(settings.music))\(volume(settings.musicVolume)), "
    + "sound \(word(settings.sound))\(volume(settings.soundVolume)), " + voice
    + "haptics \(word(settings.haptics))\(volume(settings.hapticsVolume))" + judgingText(settings)
}

/// ", television taps 83.0 ms late"; nothing of who taps with what is heard.
private func judgingText(_ settings: Settings) -> String {
  let offset = settings.judgingOffsetUs
  guard offset != 0 else { return "" }
  return ", \(settings.profile) taps \(milliseconds(abs(offset))) \(offset < 0 ? "early" : "late")"
}
