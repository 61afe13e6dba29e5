// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Problems
import Rhythm
import Timing
import Wire

@testable import Engine

/// An engine over a pack without files, and outputs that follow a clock of the test's own.
struct EngineFixture {
  static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav", "bpm": 120}, "other": {"file": "other.wav", "loop": false},
                "gone": {"file": "gone.wav"}},
     "sounds": {"click": {"file": "click.wav", "gain": 0.5}, "word": {"file": "word.wav", "bus": "voice"},
                "lost": {"file": "lost.wav"}},
     "patterns": {"thud": {"file": "thud.ahap"}},
     "cues": {"lock": {"steps": [{"sound": "click"}, {"at": 0.25, "pattern": "thud"}, {"at": 0.5, "sound": "lost"},
                                 {"at": 1, "music": {"play": "other", "crossfade": 0.5}}]}},
     "ducking": [{"sound": "word", "depth": 0.25, "attack": 0.01, "hold": 0.5, "release": 0.3}],
     "chapters": {"tap": {"title": "Tap", "track": "main", "length": 3, "beats": [{"at": 1}, {"at": 2}]}}}
    """

  var engine: Engine
  /// How long after they are mixed frames are heard.
  let soundAhead: Interval
  /// Frames a second.
  let rate: Int
  /// Of an output that follows the test's clock.
  var output: Turn {
    get { engine.turn }
    set { engine.turn = newValue }
  }

  /// `cues` is written in place of those of the manifest, `parameters` beside them; `feedback` is the cue of a hit. `stems`
  /// gives the track `main` two, and the chapter a gain for the first. `night` is the `musicOff` of a second pack,
  /// which has a track `dark`; without it there is none. What is asked for now is heard `soundAheadMs` later. Tracks have as many
  /// frames at any `rate`.
  init(
    muted: String = "mute", night: String? = nil, cues: String? = nil, feedback: String? = nil,
    parameters: String? = nil,
    stems: Bool = false, soundAheadMs: Int64 = 10, rate: Int = 48_000,
    change: (inout Catalog.Pack) throws -> Void = { _ in }
  ) throws {
    let text = Self.manifest.replacing(
      "\"version\": \"1\",", with: "\"version\": \"1\", \"settings\": {\"musicOff\": \"\(muted)\"},")
    var own = try cues.map { (cues) throws in try Self.replacingCues(text, by: cues) } ?? text
    if let parameters {
      own = own.replacing(#""version": "1","#, with: #""version": "1", "parameters": {\#(parameters)},"#)
    }
    if stems {
      own = own.replacing(
        #""bpm": 120}"#,
        with:
          #""bpm": 120, "stems": {"bells": {"file": "b.wav", "gain": 0}, "voice": {"file": "v.wav", "gain": 0.75}}}"#
      )
      own = own.replacing(#""length": 3,"#, with: #""length": 3, "stems": {"bells": 0.5},"#)
    }
    if let feedback {
      own = own.replacing(#""length": 3,"#, with: #""length": 3, "feedback": {"hit": "\#(feedback)"},"#)
    }
    let manifest = try PackManifest.parse(Array(own.utf8), path: "pack.json")
    var pack = Catalog.Pack(manifest: manifest, path: "/game")
    let whole = TrackInfo(frames: 480_000, loop: LoopRegion(start: 0, end: 480_000), headFrames: 24_000)
    pack.tracks = ["main": whole, "other": whole]
    pack.sounds = ["click": 4_800, "word": 48_000]
    pack.patterns = ["thud": HapticPattern.transient(intensity: 1, sharpness: 0.5)]
    if case .map(let map) = try manifest.chapter(named: "tap").beats { pack.beatMaps = ["tap": map] }
    pack.problems = [
      Problem(.missing, file: "/game/lost.wav", "/game/lost.wav is missing").of(.init(.sound, "lost"))
    ]
    if stems { pack.tracks["main"]?.stems = [.init(name: "bells", gain: 0), .init(name: "voice", gain: 0.75)] }
    try change(&pack)
    var packs = [pack]
    if let night { packs.append(try Self.night(muted: night, dark: whole)) }
    soundAhead = .microseconds(soundAheadMs * 1_000)
    self.rate = rate
    var configuration = Engine.Configuration()
    configuration.rate = rate
    engine = Engine(
      catalog: Catalog(packs: packs, active: "game"), configuration: configuration,
      turn: Self.output(at: 1_000_000, soundAhead: soundAhead, rate: rate))
  }

  private static func night(muted: String, dark: TrackInfo) throws -> Catalog.Pack {
    let text = """
      {"name": "night", "title": "Night", "version": "1", "settings": {"musicOff": "\(muted)"},
       "tracks": {"dark": {"file": "dark.wav"}}, "sounds": {}}
      """
    let manifest = try PackManifest.parse(Array(text.utf8), path: "pack.json")
    var pack = Catalog.Pack(manifest: manifest, path: "/night")
    pack.tracks = ["dark": dark]
    return pack
  }

  private struct NoCues: Error {}

  private static func replacingCues(_ text: String, by cues: String) throws -> String {
    guard let start = text.firstRange(of: #""cues": {"#), let end = text.firstRange(of: #""ducking""#) else {
      throw NoCues()
    }
    return text[..<start.upperBound] + cues + "},\n " + text[end.lowerBound...]
  }

  static func output(
    at microseconds: Int64, soundAhead: Interval = .microseconds(10_000), rate: Int = 48_000
  ) -> Turn {
    let now = Instant(microseconds: microseconds)
    let timeline = AudioTimeline(frame: 0, instant: Instant(microseconds: 1_000_000), rate: rate)
    let ahead = soundAhead.frames(rate: rate)
    return Turn(
      now: now, timeline: timeline, reachableFrame: timeline.frame(at: now) + ahead, hapticLead: .zero)
  }

  /// Lets the clock pass to an instant in steps of 10 ms; answers what was to be done, in order.
  mutating func run(to microseconds: Int64) -> [EngineAction] {
    var actions = engine.takeActions()
    while output.now.microseconds < microseconds {
      output = Self.output(at: min(output.now.microseconds + 10_000, microseconds), soundAhead: soundAhead, rate: rate)
      engine.advance()
      actions += engine.takeActions()
    }
    return actions
  }

  /// Plays one track after the other until as many fade out beside the last as may: each change of the music is told of all.
  mutating func fillMusic(by cause: Cause) throws {
    for _ in 0..<8 {
      _ = try engine.playMusic(MusicPlay.Params(track: "other", from: .start, crossfadeUs: 10_000_000), by: cause)
      _ = run(to: output.now.microseconds + 120_000)
    }
  }
}

extension [EngineAction] {
  var audio: [AudioStep] {
    flatMap { action -> [AudioStep] in if case .audio(let steps) = action { steps } else { [] } }
  }

  var batches: [[AudioStep]] {
    compactMap { action in if case .audio(let steps) = action { steps } else { nil } }
  }

  var topics: [Topic] {
    compactMap { action in if case .notify(let notification, _) = action { notification.topic } else { nil } }
  }

  /// What was told, as clients read it.
  var lines: [String] {
    compactMap { action in
      guard case .notify(let notification, _) = action else { return nil }
      return String(decoding: notification.line(seq: 1), as: UTF8.self)
    }
  }

  var haptics: [HapticCommand] {
    compactMap { action in if case .haptics(let command) = action { command } else { nil } }
  }

  var soundStarts: [VoiceStart<NamedSource>] {
    audio.compactMap { step in if case .start(let start) = step, start.sound != nil { start } else { nil } }
  }
}

extension VoiceStart<NamedSource> {
  var sound: ResidentSound? { if case .resident(let sound, _) = source { sound } else { nil } }

  var track: AssetKey? { if case .track(let key, _) = source { key.key } else { nil } }

  var loops: Bool {
    switch source {
    case .track(_, let loops), .resident(_, let loops): loops
    }
  }
}
