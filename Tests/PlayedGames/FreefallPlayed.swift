// SPDX-License-Identifier: Apache-2.0

import Moments
import StarlightClient
import Wire

/// Freefall: what is heard and felt of each moment, by sections 2.1 to 2.5 of the games' facts, typed by hand.
struct FreefallPlayed: PlayedGame {
  static let pack = "freefall"
  static let musicStands = true
  static let moments = [
    "button", "nothing", "worlds", "levels", "level", "launched", "flipped", "collected", "died", "ready", "stopped",
    "resumed", "goal", "word", "intermission", "crashed", "world opened", "menu", "paused", "went on",
  ]

  /// The track that ought to play where the player is; none before the first level and in an intermission.
  private var track: String?
  /// The level after which the intermission of now came; none elsewhere.
  private var intermission: String?
  /// Whether this daemon was told of the music yet, which then goes on whatever is entered.
  private var plays = false

  mutating func daemonBegan() { plays = false }

  mutating func expect(_ line: PlayerLine, of life: inout ExpectedLife) {
    switch line.what {
    case "button": effect("ui-tap", "ui-tap", "light", line, &life)
    case "flipped": effect("flip", "flip", "medium", line, &life)
    case "collected": effect("collect", "collect", "light", line, &life)
    case "died": effect("death", "death", "soft", line, &life)
    case "goal": effect("goal", "goal", "success", line, &life)
    case "word": effect("level-complete", "level-complete", nil, line, &life)
    case "world opened": effect("world-unlock", "world-unlock", nil, line, &life)
    case "intermission": intermissionBegan(line, &life)
    case "crashed":
      guard let us = life.cue("intermission-death", line)?.us else { return }
      life.endMusic(at: us, fadeUs: 0)
      plays = false
    case "level", "worlds", "menu": entered(line, &life)
    case "killed": programEnded(line, &life)
    // Seen, and neither heard nor felt: death and restart leave the music alone, and what is locked does nothing.
    case "levels", "launched", "ready", "stopped", "resumed", "nothing", "daemon lost": break
    default: life.fault(line, "there is no such moment")
    }
  }

  mutating func ended(_ life: inout ExpectedLife) {}

  /// A moment of one sound, one touch, or both, as often as it was seen.
  private func effect(
    _ cue: String, _ sound: String, _ pattern: String?, _ line: PlayerLine, _ life: inout ExpectedLife
  ) {
    for _ in 0..<(line.count ?? 1) {
      guard let came = life.cue(cue, line) else { return }
      life.hear(sound, at: came.us, decidedAtUs: line.atUs)
      if let pattern { life.feel(.init(pattern: pattern, us: came.touchUs)) }
    }
  }

  /// Cut at 0, the voice at 0.8 s, its track at 1.3 s. Beside a daemon that came in its middle the track alone.
  private mutating func intermissionBegan(_ line: PlayerLine, _ life: inout ExpectedLife) {
    (intermission, track) = (line.name, "intermission-track")
    guard let us = life.cue("intermission", line)?.us else { return }
    life.endMusic(at: us, fadeUs: 0)
    life.hearLater("intermission-voice", at: us + 800_000)
    life.music.append(.init(name: "intermission-track", us: us + 1_300_000))
    plays = true
  }

  /// Levels 1 to 5 have track a, 6 to 10 track b; behind an intermission the next level's, of the next world behind the tenth.
  private mutating func entered(_ line: PlayerLine, _ life: inout ExpectedLife) {
    let wanted =
      if line.what == "level" {
        Self.track(of: line.name ?? "")
      } else {
        intermission.map { Self.trackBehind($0) } ?? track
      }
    intermission = nil
    guard wanted != track || !plays else { return }
    guard let wanted else { return silence(line, &life) }
    guard let us = life.cue(wanted.replacing("track", with: "music"), line)?.us else { return }
    life.endMusic(at: us, fadeUs: 2_000_000)
    life.music.append(.init(name: wanted, us: us, fadeInUs: 2_000_000))
    (track, plays) = (wanted, true)
  }

  /// A game that begins anew at its menu: what one before it left playing fades out.
  private mutating func silence(_ line: PlayerLine, _ life: inout ExpectedLife) {
    guard let last = life.music.last, last.untilUs == nil,
      let stopped = life.musicChange(.stopped, last.name, line)
    else { return }
    life.endMusic(at: stopped.us, fadeUs: 500_000)
  }

  /// All that is felt ends with the program; sounds play out, the music goes on until the next program is there.
  private mutating func programEnded(_ line: PlayerLine, _ life: inout ExpectedLife) {
    life.endTouches(at: line.atUs)
    life.callOffSounds()
    (track, intermission, plays) = (nil, nil, false)
  }

  private static func track(of level: String) -> String {
    let parts = level.dropFirst().split(separator: "L")
    let letter = (Int(parts.last ?? "") ?? 0) <= 5 ? "a" : "b"
    return "world\(parts.first ?? "")-track-\(letter)"
  }

  private static func trackBehind(_ level: String) -> String {
    let next = [
      "W1L10": "world2-track-a", "W2L10": "world3-track-a", "W3L10": "world4-track-a", "W4L10": "world1-track-a",
    ]
    return next[level] ?? track(of: level.replacing("L5", with: "L6"))
  }

  /// All forty levels and all eight intermissions by name, every kind of mistake, loss and switch, interruptions in each world.
  func missing(in lines: [PlayerLine]) -> [String] {
    var missing = missingOfLosses(in: lines) + missingOfIntermissions(in: lines)
    func need(_ what: String, _ count: Int) {
      let seen = lines.filter { $0.what == what }.reduce(0) { $0 + ($1.count ?? 1) }
      if seen < count { missing.append("\(what) was seen \(seen) times and not \(count)") }
    }
    let levels = (1...4).flatMap { world in (1...10).map { "W\(world)L\($0)" } }
    let entered = Set(lines.filter { $0.what == "level" }.compactMap(\.name))
    missing += levels.filter { !entered.contains($0) }.map { "\($0) was not entered" }
    for (what, count) in [
      ("goal", 40), ("word", 40), ("crashed", 8), ("died", 10), ("stopped", 5), ("world opened", 3), ("nothing", 10),
      ("collected", 100), ("flipped", 100), ("music switch", 20), ("sound switch", 20), ("touch switch", 20),
    ] { need(what, count) }
    return missing
  }

  /// Who was killed, or lost the daemon, is where they were; each world has an interruption, to its end.
  private func missingOfLosses(in lines: [PlayerLine]) -> [String] {
    var missing: [String] = []
    for what in ["killed", "daemon lost"] where !lines.contains(where: { $0.what == what }) {
      missing.append("nobody was told as \"\(what)\"")
    }
    if Set(lines.filter { $0.what == "daemon" }.map(\.name)).count < 2 { missing.append("no second daemon was found") }
    var (world, away): (String?, [String: Set<String>]) = (nil, [:])
    for line in lines {
      if line.what == "level" { world = line.name?.split(separator: "L").first.map(String.init) }
      if let world, line.what == "paused" || line.what == "went on" { away[world, default: []].insert(line.what) }
    }
    for world in ["W1", "W2", "W3", "W4"] {
      for what in ["paused", "went on"] where away[world]?.contains(what) != true {
        missing.append("\(world) has no \"\(what)\"")
      }
    }
    return missing
  }

  /// Each comes, and is survived once beyond 15 s and once beyond 30 s of play, which begins after 1.3 s.
  private func missingOfIntermissions(in lines: [PlayerLine]) -> [String] {
    var (begun, survivedUs): ((name: String, us: Int64)?, [String: Int64]) = (nil, [:])
    for line in lines {
      switch line.what {
      case "intermission": begun = line.name.map { ($0, line.atUs) }
      case "crashed":
        if let begun { survivedUs[begun.name] = line.atUs - begun.us - 1_300_000 }
        begun = nil
      case "daemon", "killed": begun = nil
      default: break
      }
    }
    var missing = ["W1L5", "W1L10", "W2L5", "W2L10", "W3L5", "W3L10", "W4L5", "W4L10"].filter { survivedUs[$0] == nil }
      .map { "no intermission came after \($0), to its end" }
    if !survivedUs.values.contains(where: { (15_000_000..<30_000_000).contains($0) }) {
      missing.append("no intermission was survived beyond 15 s")
    }
    if !survivedUs.values.contains(where: { $0 >= 30_000_000 }) {
      missing.append("no intermission was survived beyond 30 s")
    }
    return missing
  }
}
