// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Timing
import Wire

@testable import Engine

/// What comes of what an engine asks of the mixer (`heard`) and of the haptic outputs (`felt`), and what its clients are told
/// (`told`), a line each with its milliseconds, in the order of their instants, those told in the order of sending.
///
/// What is taken back in time is not listed. A voice is called by what it plays, the second of that name that begins
/// `click#2`, and one of a pack that was read anew `click'`. A bus is listed where its gain changes. What repeats, turns of a loop and levels, is not listed, nor that settings
/// changed, nor what parameters lead.
struct ScriptLog {
  typealias Line = (us: Int64, text: String)

  /// What the mixer was told: of which voice, if of one.
  private struct Heard {
    var us: Int64
    var voice: VoiceID?
    var text: String
    /// Of its beginning, what plays.
    var source: String?
    /// Of an end that prolongs nothing, when it is over.
    var overUs: Int64?
  }

  private var heard: [Heard] = []
  private var felt: [(us: Int64, player: HapticPlayerID, text: String)] = []
  private var told = ScriptTellings()
  private var busGains: [Bus: Float] = [:]
  private var starts: [VoiceStart<NamedSource>] = []
  /// What ends many at a frame: the number of their sound, 0 for all, and before what instant they begin.
  private var ends: [(sound: UInt32, before: Int64, at: Int64, fade: Fade)] = []
  private var patterns: [HapticPlayerID: String] = [:]
  private var outputs = HapticMixer()

  func voice(named name: String) -> VoiceID? { voices.first { $0.value == name }?.key }

  private var voices: [VoiceID: String] {
    Self.numbered(heard.compactMap { line in line.voice.flatMap { voice in line.source.map { (voice, $0) } } })
  }

  /// Each by its name, the second of a name `name#2`.
  private static func numbered<ID>(_ named: [(id: ID, name: String)]) -> [ID: String] {
    var counts: [String: Int] = [:]
    var names: [ID: String] = [:]
    for (id, name) in named where names[id] == nil {
      let count = counts[name, default: 0] + 1
      counts[name] = count
      names[id] = count == 1 ? name : "\(name)#\(count)"
    }
    return names
  }

  func lines(of part: String) -> [String] {
    let lines: [Line]
    switch part {
    case "heard":
      // Swift's sort is not promised to be stable.
      lines = standing.enumerated().sorted { ($0.element.us, $0.offset) < ($1.element.us, $1.offset) }.map(\.element)
    case "felt":
      let players = Self.numbered(felt.map { ($0.player, patterns[$0.player] ?? "?") })
      lines = felt.map { ($0.us, "\(players[$0.player] ?? "?") \($0.text)") }
    case "told": lines = told.lines
    default: preconditionFailure("there is no part \(part)")
    }
    return lines.map { Self.milliseconds($0.us) + " " + $0.text }
  }

  /// Takes in what is to be done, now.
  mutating func take(_ actions: [EngineAction], nowUs: Int64) {
    for action in actions {
      switch action {
      case .audio(let steps): for step in steps { take(step, nowUs) }
      case .haptics(let command):
        if case .start(let player, _, let source, _, _) = command { patterns[player] = Self.bare(source) }
        outputs.apply(command)
      case .notify(let notification, _): told.take(notification, nowUs: nowUs)
      }
    }
    for event in outputs.advance(to: Instant(microseconds: Self.zeroUs + nowUs)) { feel(event) }
  }

  // MARK: Heard

  private mutating func take(_ step: AudioStep, _ nowUs: Int64) {
    switch step {
    case .start(let start): begin(start)
    case .command(let command), .steer(let command): take(command, nowUs)
    }
  }

  private mutating func begin(_ start: VoiceStart<NamedSource>) {
    var text = "begins"
    if start.sourceFrame > 0 { text += " from " + Self.milliseconds(frames: start.sourceFrame) }
    text += Self.over(start.fadeIn)
    heard.append(Heard(us: Self.us(start.at), voice: start.id, text: text, source: Self.name(of: start.source)))
    starts.removeAll { $0.id == start.id }
    starts.append(start)
    for end in ends where end.at > start.at { note(start, end) }
  }

  /// What ends many is listed as an end of each.
  private mutating func note(
    _ start: VoiceStart<NamedSource>, _ end: (sound: UInt32, before: Int64, at: Int64, fade: Fade)
  ) {
    guard start.sound != 0, end.sound == 0 || end.sound == start.sound, start.instant < end.before else { return }
    take(.end(start.id, at: end.at, fade: end.fade), 0)
  }

  /// Without what was said of voices that never begin.
  private var standing: [Line] {
    let voices = voices
    return heard.compactMap { line in
      guard let voice = line.voice else { return (line.us, line.text) }
      if let over = line.overUs, isOver(voice, at: line.us, by: over) { return nil }
      return voices[voice].map { (line.us, "\($0) \(line.text)") }
    }
  }

  /// Whether what a voice was told to end by comes earlier, and is over no later.
  private func isOver(_ voice: VoiceID, at us: Int64, by overUs: Int64) -> Bool {
    heard.contains { $0.voice == voice && $0.us < us && $0.overUs.map { $0 <= overUs } ?? false }
  }

  private mutating func take(_ command: MixerCommand, _ nowUs: Int64) {
    switch command {
    case .start: preconditionFailure("a voice begins by its name")
    case .stop(let voice, let at, let fade): note(voice, "ends", fade, at)
    case .end(let voice, let at, let fade):
      note(voice, "ends", fade, at)
      heard[heard.count - 1].overUs = Self.us(at + Int64(fade.frames))
    case .endMany(let sound, let before, let at, let fade):
      ends.append((sound, before, at, fade))
      for start in starts { note(start, ends[ends.count - 1]) }
    // Whose it is changes nothing of what is heard.
    case .leave: break
    case .fadeOut(let voice, let at, let fade): note(voice, "fades out", fade, at)
    case .bringBack(let voice, let at, let fade): note(voice, "comes back", fade, at)
    case .pause(let voice, let at, let fade): note(voice, "pauses", fade, at)
    case .resume(let voice, let at, let fade): note(voice, "goes on", fade, at)
    case .gain(let voice, let gain, let at, let fade): note(voice, "to gain \(gain)", fade, at)
    case .stem(let voice, let stem, let gain, let at, let fade): note(voice, "stem \(stem) to gain \(gain)", fade, at)
    case .pan(let voice, let pan, let at): note(voice, "to pan \(pan)", .none, at)
    case .pitch(let voice, let pitch, let at): note(voice, "to pitch \(pitch)", .none, at)
    case .retract(let voice, let from):
      // The fixture's mixer is 10 ms ahead.
      let firstUs = max(Self.us(from), nowUs + 10_000)
      heard.removeAll { $0.voice == voice && $0.us >= firstUs }
    case .stopAll(let bus, let at, let fade):
      heard.append(Heard(us: Self.us(at), text: "all\(bus.map { " of \($0)" } ?? "") end" + Self.over(fade)))
    case .busGain(let bus, let gain, let at, let fade):
      guard busGains.updateValue(gain, forKey: bus) ?? 1 != gain else { return }
      heard.append(Heard(us: Self.us(at), text: "bus \(bus) to gain \(gain)" + Self.over(fade)))
    case .drive, .retractDriven, .restore: break
    }
  }

  private mutating func note(_ voice: VoiceID, _ what: String, _ fade: Fade, _ frame: Int64) {
    heard.append(Heard(us: Self.us(frame), voice: voice, text: what + Self.over(fade)))
  }

  private static func name(of source: NamedSource) -> String {
    switch source {
    case .track(let key, _), .resident(.sound(let key), _):
      key.name + key.generation.contents.path.filter { $0 == "'" }
    case .resident: "part of a pattern"
    }
  }

  // MARK: Felt

  private mutating func feel(_ event: HapticPlayerEvent) {
    let what: String
    switch event {
    case .started: what = "begins"
    case .finished: what = "is over"
    case .stopped, .replaced: what = "ends"
    case .looped, .cancelled, .skipped: return
    }
    felt.append((event.instant.microseconds - Self.zeroUs, event.player, what))
  }

  // MARK: Words

  /// Without the name of its pack.
  static func bare(_ name: String) -> String { name.replacing("game:", with: "") }

  /// Microseconds as milliseconds with as many decimals as there are.
  static func milliseconds(_ us: Int64) -> String {
    us % 1_000 == 0 ? "\(us / 1_000)" : "\(Double(us) / 1_000)"
  }

  private static func milliseconds(frames: Int64) -> String { milliseconds(us(frames)) }

  private static func over(_ fade: Fade) -> String {
    fade.frames == 0 ? "" : " over " + milliseconds(frames: Int64(fade.frames))
  }

  /// When a frame is heard, from the fixture's start, where frame 0 is.
  private static func us(_ frame: Int64) -> Int64 { (frame * 1_000 + 24) / 48 }

  /// When the fixture's time begins.
  static let zeroUs: Int64 = 1_000_000
}
