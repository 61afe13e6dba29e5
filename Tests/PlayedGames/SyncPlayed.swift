// SPDX-License-Identifier: Apache-2.0

import Moments
import Wire

/// Starlight Sync: what is heard and felt of each moment, by section 1.3 of the games' facts, typed by hand.
struct SyncPlayed: PlayedGame {
  static let pack = "starlight-sync"
  static let musicStands = false
  static let moments = [
    "chapter 1", "pressed", "released", "snapped", "chapter 2", "jumped", "heart", "died", "help", "chapter 3",
    "boundary", "settled", "wrong unlock", "solved", "chapter 4", "hit", "missed", "survived", "chapter 5", "begun",
    "connected", "wrong node", "left", "chapter 6", "slider held", "slider let go", "the end", "paused", "went on",
  ]

  private let main = "audio_bgm_main"
  /// The charge and the heartbeat under it, while the finger is down.
  private var charge: [Int?] = []
  /// The resistance of the slider, and where it was moved to last.
  private var resistance: Int?
  private var sliderValue = 1.0

  mutating func daemonBegan() { self = SyncPlayed() }

  mutating func expect(_ line: PlayerLine, of life: inout ExpectedLife) {
    switch line.what {
    case "chapter": chapterBegan(line, &life)
    case "pressed":
      guard let us = life.cue("press", line)?.touchUs else { return }
      charge = [
        life.feel(.init(pattern: "capacitor_charge", us: us)),
        life.feel(.init(pattern: "heartbeat", us: us, gain: 0.25)),
      ]
    case "released": for part in charge { life.endTouch(part, at: line.atUs) }
    case "snapped":
      guard let us = life.cue("snap", line)?.us else { return }
      if us != line.atUs { life.fault(line, "planned, and yet at \(us) us") }
      life.hear("sfx_haptic_thud", at: us)
      beginMain(at: us, &life)
    case "heart": effect("collect", "sfx_success_chime", "impact-light", line, &life)
    case "boundary": effect("tick", "sfx_click", "boundary", line, &life)
    case "settled": effect("settle", "sfx_haptic_thud", "thud", line, &life)
    case "solved": effect("solve", "sfx_success_chime", nil, line, &life)
    case "hit": effect("hit", "sfx_shield_impact", "impact-light", line, &life, decidedByDaemon: true)
    case "missed": effect("miss", nil, "refusal", line, &life, decidedByDaemon: true)
    case "survived":
      guard let us = life.cue("firewall-over", line, decidedByDaemon: true)?.us, let last = life.music.indices.last
      else {
        return
      }
      (life.music[last].stemsUntilUs, life.music[last].stemsOutUs) = (us, 2_000_000)
    case "connected": effect("connect", "sfx_success_chime", "impact-light", line, &life)
    case "wrong node": effect("wrong", "sfx_error", "refusal", line, &life)
    case "left": if let us = life.cue("blueprint-left", line)?.us { life.endMusic(at: us, fadeUs: 500_000) }
    case "slider held":
      guard let us = life.cue("slider", line)?.touchUs else { return }
      sliderValue = 0
      resistance = life.feel(
        .init(pattern: "heartbeat", us: us, loopUs: 2_823_529, driven: (power: 0.8, path: [(us: us, value: 0)])))
    case "slider at": slid(line, &life)
    case "slider let go": life.endTouch(resistance, at: line.atUs)
    case "the end":
      guard let came = life.cue("finale", line) else { return }
      life.endTouch(resistance, at: came.touchUs)
      life.feel(.init(pattern: "final", us: came.touchUs))
      life.endMusic(at: came.us, fadeUs: 0)
      life.music.append(.init(name: "audio_bgm_finale", us: came.us))
    case "killed": programEnded(line, &life)
    case "tapped": life.act(line)
    case "gave up": life.fault(line, "nothing happens")
    // Seen, and neither heard nor felt.
    case "died", "jumped", "wrong unlock", "help", "victory", "welcome back", "begun", "confetti", "reset", "message",
      "daemon killed":
      break
    default: life.fault(line, "there is no such moment")
    }
  }

  mutating func ended(_ life: inout ExpectedLife) {}

  /// A moment of one sound, one touch, or both, as often as it was seen.
  private func effect(
    _ cue: String, _ sound: String?, _ pattern: String?, _ line: PlayerLine, _ life: inout ExpectedLife,
    decidedByDaemon: Bool = false
  ) {
    for _ in 0..<(line.count ?? 1) {
      guard let came = life.cue(cue, line, decidedByDaemon: decidedByDaemon) else { return }
      let decidedUs = cue == "hit" ? life.takeAct(answeredAtUs: came.us, line) : line.atUs
      if let sound { life.hear(sound, at: came.us, decidedAtUs: decidedUs) }
      if let pattern { life.feel(.init(pattern: pattern, us: came.touchUs)) }
    }
  }

  /// Main goes on through 2, 3 and 5; 4 begins it anew, with its bells, on the other voice.
  private mutating func chapterBegan(_ line: PlayerLine, _ life: inout ExpectedLife) {
    let plays = life.music.last.map { $0.untilUs == nil } ?? false
    switch line.number {
    case 2, 3, 5:
      guard !plays, let began = life.musicChange(.started, main, line) else { return }
      beginMain(at: began.us, &life)
    case 4:
      guard let run = life.run(.started, line, within: 1_000_000) else { return }
      life.endMusic(at: run.startUs, fadeUs: 500_000)
      life.music.append(.init(name: main, us: run.startUs, fadeInUs: plays ? 500_000 : 0, stems: ["bells": 1]))
    default: break
    }
  }

  private func beginMain(at us: Int64, _ life: inout ExpectedLife) {
    life.endMusic(at: us, fadeUs: 0)
    life.music.append(.init(name: main, us: us))
  }

  /// The intensity follows the handle, finger^0.8.
  private mutating func slid(_ line: PlayerLine, _ life: inout ExpectedLife) {
    guard let value = line.value, let told = life.parameter("slider", to: value, line) else { return }
    life.drive(resistance, [(us: told.us, value: sliderValue), (us: told.us + told.overUs, value: value)])
    sliderValue = value
  }

  /// What is felt once finishes without the program; what repeats fades, and the chapter that it had the daemon judge ends. Other music
  /// goes on.
  private mutating func programEnded(_ line: PlayerLine, _ life: inout ExpectedLife) {
    life.endTouch(resistance, at: line.atUs + 50_000, fadeUs: 50_000)
    guard line.number == 4, let ended = life.musicChange(.stopped, main, line) else { return }
    life.endMusic(at: ended.us, fadeUs: 500_000)
  }

  func missing(in lines: [PlayerLine]) -> [String] {
    var missing: [String] = []
    var (chapter, seen): (Int, [Int: [String: Int]]) = (0, [:])
    for (index, line) in lines.enumerated() {
      if line.what == "chapter" { chapter = line.number ?? 0 }
      seen[chapter, default: [:]][line.what + (line.isOn.map { $0 ? " on" : " off" } ?? ""), default: 0] +=
        line.count ?? 1
      guard line.what == "killed" || line.what == "daemon killed" else { continue }
      // Whoever comes back is at the start of the chapter that they left.
      if lines[(index + 1)...].first(where: { $0.what == "chapter" })?.number != chapter {
        missing.append("\(line.what) in chapter \(chapter), and not at its start again")
      }
    }
    func ask(_ chapter: Int, _ what: String, _ count: Int = 1) {
      let found = seen[chapter]?[what] ?? 0
      if found < count { missing.append("chapter \(chapter) has \(found) times \"\(what)\", and not \(count)") }
    }
    for chapter in 1...6 { for what in ["killed", "paused", "went on", "sound switch off"] { ask(chapter, what) } }
    for chapter in 2...5 { for what in ["touch switch off", "music switch off", "help"] { ask(chapter, what) } }
    for (chapter, what, count) in [
      (1, "pressed", 3), (1, "released", 1), (1, "snapped", 1), (2, "died", 3), (2, "heart", 10), (2, "jumped", 20),
      (3, "wrong unlock", 3), (3, "boundary", 5), (3, "settled", 3), (3, "solved", 1), (4, "missed", 6), (4, "hit", 30),
      (4, "daemon killed", 1), (4, "survived", 1), (5, "connected", 11), (5, "wrong node", 1), (5, "left", 1),
      (6, "slider let go", 1), (6, "the end", 1), (6, "confetti", 1),
    ] { ask(chapter, what, count) }
    return missing
  }
}
