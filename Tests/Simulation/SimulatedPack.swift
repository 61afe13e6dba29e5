// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import SeededNumbers
import WaveBytes

/// A game pack made for one seed: its chapters and rules are drawn, its sounds are sines that begin and end at zero, so
/// that any step in what is heard is Starlight's own.
struct SimulatedPack {
  /// What the manifest says of a chapter, kept apart from it to be compared with.
  struct Chapter {
    var name: String
    /// Microseconds.
    var beats: [Int64]
    var lanes: [String]
    var laneOfBeat: [Int]
    var lengthUs: Int64
  }

  /// The peak of a track.
  static let musicAmplitude: Float = 0.4

  /// How many steps cues have.
  static let stepsOfCues = [
    "game:hit": 2, "game:miss": 1, "game:over": 2, "game:broken": 3, "game:hush": 4, "game:burst": 4, "game:press": 5,
    "game:far": 4,
    "other:hit": 2, "other:over": 1,
  ]

  /// The players that cues begin: as they are told, and how long after the zero.
  static let playersOfCues: [String: [(source: String, afterUs: Int64)]] = [
    "game:hit": [("game:thud", 0)], "game:over": [("game:hum", 200_000)], "game:broken": [("game:swell", 0)],
    "game:burst": [("transient", 100_000)], "game:press": [("game:swell", 0), ("continuous", 700_000)],
    "other:hit": [("other:thud", 0)],
  ]

  /// What of a cue repeats: a sound and a pattern of `press`.
  static let (loopHeard, loopFelt) = ("game:word", "game:swell")
  static let loopingCue = "game:press"

  /// Where `main` repeats, in microseconds: no whole number of beats, and whole periods of its sine.
  static let loopUs: Range<Int64> = 250_000..<1_870_000
  /// How long its tracks last.
  static let lengthsUs: [String: Int64] = ["game:main": 2_000_000, "game:finale": 1_500_000, "game:once": 700_000]

  let folder: String
  let chapters: [Chapter]
  /// The manifest as the game knows it.
  private var whole = ""

  /// Writes the pack into a new folder, in memory where there is such a file system.
  init(random: inout SeededRandom) throws {
    let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(root)/starlight-simulation-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SimulationFailure("cannot make a folder in \(root)") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chapters = [Self.chapter("open", lanes: [], &random), Self.chapter("laned", lanes: ["left", "right"], &random)]
    for (track, seconds) in [("main", 2), ("finale", 1.5), ("once", 0.7)] as [(String, Double)] {
      try write(track + ".wav", Self.sine(seconds: seconds, amplitude: Double(Self.musicAmplitude)))
    }
    // So soft that it makes nothing steeper.
    try write("bells.wav", Self.sine(seconds: 2, amplitude: 0.02 * Double(Self.musicAmplitude)))
    try write("click.wav", Self.sine(seconds: 0.05, amplitude: 0.1))
    try write("word.wav", Self.sine(seconds: 0.4, amplitude: 0.1))
    try write("thud.ahap", Array(Self.thud.utf8))
    try write("hum.ahap", Array(Self.hum(seconds: 0.5).utf8))
    try write("swell.ahap", Array(Self.swell(seconds: 1.2).utf8))
    whole = manifest(&random)
    try write("pack.json", Array(whole.utf8))
    try FileManager.default.createDirectory(atPath: otherFolder, withIntermediateDirectories: false)
    try write("other/main.wav", Self.sine(seconds: 1.5, amplitude: Double(Self.musicAmplitude)))
    try write("other/click.wav", Self.sine(seconds: 0.07, amplitude: 0.1))
    try write("other/thud.ahap", Array(Self.thud.utf8))
    try write("other/pack.json", Array(Self.otherManifest.utf8))
  }

  /// The folder of a second pack, which calls some things as the first does.
  var otherFolder: String { folder + "/other" }

  /// A file that is none of the pack's, beside its folder.
  private var outsideFile: String { folder + ".wav" }

  func remove() { for path in [folder, outsideFile] { try? FileManager.default.removeItem(atPath: path) } }

  private func write(_ name: String, _ bytes: [UInt8]) throws {
    // As editors do: what is open stays what it was.
    try Data(bytes).write(to: URL(filePath: folder + "/" + name), options: .atomic)
  }

  /// What an author does to the pack, and which pack is to be read again for it.
  enum Edit: CaseIterable {
    /// Nothing: the same is read again.
    case nothing
    /// A sound lasts longer or less.
    case sound
    /// A track is saved anew, in a file of its own.
    case track
    /// A pattern is drawn anew: it lasts longer or less, and is felt otherwise.
    case pattern
    /// Curves of parameters, a cue and what chapters ask for are others, until the next edit.
    case numbers
    /// No JSON.
    case syntax
    /// A number out of its range, and a name that leads nowhere.
    case faults
    /// A file is gone.
    case lost
    /// A pattern is none any more.
    case noPattern
    /// A sound is a link to a sound outside of the folder.
    case link
  }

  /// Works on the pack; whether it stands as a whole. What the game speaks of is as it was before behind `restore`.
  func edit(_ edit: Edit, _ random: inout SeededRandom) throws -> Bool {
    switch edit {
    case .nothing: return true
    case .sound:
      try write("click.wav", Self.sine(seconds: Double(random.integer(2...25)) / 100, amplitude: 0.1))
      return true
    case .track:
      let (name, seconds) = random.pick([("main", 2), ("finale", 1.5), ("once", 0.7)] as [(String, Double)])
      let isFinale = name == "finale"
      let bytes = Self.sine(seconds: seconds, amplitude: Double(Self.musicAmplitude))
      try write(name + ".wav", isFinale ? Self.finale(random.next(below: 3)) : bytes)
      return true
    case .pattern:
      let length = Double(random.integer(1...25)) / 10
      if random.oneIn(2) {
        try write("swell.ahap", Array(Self.swell(seconds: length).utf8))
      } else {
        try write("hum.ahap", Array(Self.hum(seconds: length).utf8))
      }
      return true
    case .numbers:
      let power = random.pick(["0.7", "0.8", "0.9"])
      let numbers = whole.replacing(#""gain": {"power": 0.8}"#, with: #""gain": {"power": \#(power)}"#)
        .replacing(#""spawnLead": 1"#, with: #""spawnLead": 0"#).replacing(#""spawnLead": 2"#, with: #""spawnLead": 0"#)
      // Of beats behind the end of a track that does not loop each is told: without some there would be another fault.
      let isRight = !whole.contains(#""track": "once", "length""#)
      try write("pack.json", Array((isRight ? Self.withoutFirstBeats(numbers) : numbers).utf8))
      return true
    case .syntax: try write("pack.json", Array(whole.utf8.dropLast(2 + random.next(below: whole.utf8.count / 2))))
    case .faults:
      let faulty = whole.replacing(#""crossfade": 0.3}"#, with: #""crossfade": -1}"#)
        .replacing(#"{"sound": "click"}, {"pattern": "thud"}"#, with: #"{"sound": "clik"}, {"pattern": "thud"}"#)
      try write("pack.json", Array(faulty.utf8))
    case .lost: try FileManager.default.removeItem(atPath: folder + "/click.wav")
    case .noPattern: try write("hum.ahap", Array(Self.hum(seconds: 0.5).utf8.dropLast(3)))
    case .link:
      try Data(Self.sine(seconds: 0.05, amplitude: 0.1)).write(to: URL(filePath: outsideFile))
      try FileManager.default.removeItem(atPath: folder + "/click.wav")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/click.wav",
        withDestinationPath: random.oneIn(2) ? outsideFile : "../\(outsideFile.split(separator: "/").last ?? "")")
    }
    return false
  }

  private static func withoutFirstBeats(_ manifest: String) -> String {
    let start = #""beats": ["#
    var parts = manifest.split(separator: start, omittingEmptySubsequences: false)
    for index in parts.indices.dropFirst() {
      if let first = parts[index].firstRange(of: "}, ") { parts[index] = parts[index][first.upperBound...] }
    }
    return parts.joined(separator: start)
  }

  /// Makes good what the last edit broke.
  func restore(_ edit: Edit) throws {
    switch edit {
    case .numbers, .syntax, .faults: try write("pack.json", Array(whole.utf8))
    case .lost, .link:
      // What is written to a link is written behind it.
      try? FileManager.default.removeItem(atPath: folder + "/click.wav")
      try write("click.wav", Self.sine(seconds: 0.05, amplitude: 0.1))
    case .noPattern: try write("hum.ahap", Array(Self.hum(seconds: 0.5).utf8))
    case .nothing, .sound, .track, .pattern: break
    }
  }

  /// Makes all of it what it was at the beginning.
  func restoreAll() throws {
    for edit in Edit.allCases { try restore(edit) }
    try write("finale.wav", Self.finale(0))
    try write("swell.ahap", Array(Self.swell(seconds: 1.2).utf8))
  }

  private static func chapter(_ name: String, lanes: [String], _ random: inout SeededRandom) -> Chapter {
    var beats: [Int64] = []
    var at = random.integer(0...1_500_000)
    for _ in 0..<(4 + random.next(below: 12)) {
      beats.append(at)
      at += random.integer(20_000...(random.oneIn(3) ? 60_000 : 900_000))
    }
    let places = beats.map { _ in lanes.isEmpty ? 0 : random.next(below: lanes.count) }
    let length = beats[beats.count - 1] + random.integer(0...500_000) + 1
    return Chapter(name: name, beats: beats, lanes: lanes, laneOfBeat: places, lengthUs: length)
  }

  private func manifest(_ random: inout SeededRandom) -> String {
    let chapters = chapters.map { chapter in
      let beats = chapter.beats.enumerated().map { index, at in
        let lane = chapter.lanes.isEmpty ? "" : ", \"lane\": \"\(chapter.lanes[chapter.laneOfBeat[index]])\""
        return "{\"at\": \(Self.seconds(at))\(lane)}"
      }
      let window = random.integer(10_000...400_000)
      return """
        "\(chapter.name)": {"title": "x", "track": "\(random.pick(["main", "once"]))", "length": \(Self.seconds(chapter.lengthUs)),
          "window": \(Self.seconds(window)), "grace": \(Self.seconds(random.integer(1...80_000))),
          "assist": {"after": \(random.integer(1...5)), "window": \(Self.seconds(window + random.integer(0...300_000)))},
          "spawnLead": \(Self.seconds(random.integer(0...2_500_000))),
          "grades": {"fine": \(Self.seconds(window / 3)), "fair": \(Self.seconds(window / 2))},
          "lanes": [\(chapter.lanes.map { "\"\($0)\"" }.joined(separator: ", "))],
          "beats": [\(beats.joined(separator: ", "))],
          "feedback": {"hit": "hit", "miss": "miss", "complete": "over"}}
        """
    }
    return """
      {"name": "game", "title": "Game", "version": "1",
       "tracks": {"main": {"file": "main.wav", "stems": {"bells": {"file": "bells.wav", "gain": 0.5}}, "bpm": 120, "loop": {"start": \(Self.seconds(Self.loopUs.lowerBound)), "end": \(Self.seconds(Self.loopUs.upperBound))}, "markers": {"drop": 1.3, "seam": 1.87}}, "finale": {"file": "finale.wav", "gain": 0.8},
                  "once": {"file": "once.wav", "loop": false, "bpm": 397, "beatsPerBar": 3, "markers": {"half": 0.35}}, "gone": {"file": "gone.wav"}},
       "sounds": {"click": {"file": "click.wav"}, "word": {"file": "word.wav", "bus": "voice"},
                  "lost": {"file": "lost.wav"}},
       "patterns": {"thud": {"file": "thud.ahap"}, "hum": {"file": "hum.ahap"}, "swell": {"file": "swell.ahap"}},
       "cues": {"hit": {"steps": [{"sound": "click"}, {"pattern": "thud"}]},
                "miss": {"steps": [{"sound": "word", "gain": 0.5}]},
                "over": {"steps": [{"music": {"play": "finale", "crossfade": 0.3}}, {"at": 0.2, "pattern": "hum"}]},
                "broken": {"steps": [{"sound": "lost"}, {"at": 0.1, "sound": "click"}, {"pattern": "swell"}]},
                "hush": {"steps": [{"music": {"stop": true, "fade": 0.2}}, {"at": 0.6, "music": {"play": "once"}},
                                   {"at": 1, "music": {"gain": 0.5, "fade": 0.1}},
                                   {"at": 1.1, "music": {"gain": 1, "stem": "bells", "fade": 0.1}}]},
                "far": {"steps": [{"sound": "click", "gain": 0.01}, {"at": 3599, "sound": "click"}, {"at": 7200, "sound": "click"},
                                  {"at": 86000, "pattern": "thud"}]},
                "burst": {"cooldown": 0.2, "steps": [
                  {"sound": ["click", "word"], "gain": [0.5, 1], "pitch": [0.9, 1.1]},
                  {"at": 0.1, "transient": {"intensity": 1, "sharpness": 0.5}},
                  {"at": 0.3, "stop": {"sound": "word", "fade": 0.05}}, {"at": 0.4, "stop": {"pattern": "swell"}}]},
                "press": {"steps": [
                  {"sound": "word", "loop": true}, {"pattern": "swell", "loop": true},
                  {"at": 0.7, "continuous": {"intensity": 0.5, "sharpness": 0, "duration": 1}},
                  {"at": 0.9, "sound": "click", "pan": -0.5}, {"at": 1.2, "stop": {"haptics": true}}]}},
       "settings": {"musicOff": "\(random.pick(["mute", "pause"]))", "crossfade": 0.3},
       "parameters": {
         "low": {"default": 1, "targets": [{"track": "main", "gain": {"power": 0.8}}, {"bus": "sound", "gain": {"power": 2}}]},
         "dull": {"targets": [{"bus": "music", "lowPass": {"points": [{"value": 0, "to": 20000}, {"value": 1, "to": 300}]}},
                              {"track": "main", "gain": {"power": 1, "from": 1, "to": 0.5}}]},
         "touch": {"default": 1, "targets": [{"pattern": "swell", "intensity": {"power": 0.5}},
                                             {"pattern": "hum", "sharpness": {"power": 1, "from": 0.2}}]}},
       "ducking": [{"sound": "word", "depth": 0.5, "attack": 0.02, "hold": 0.1, "release": 0.2}],
       "chapters": {\(chapters.joined(separator: ",\n"))}}
      """
  }

  private static let otherManifest = """
    {"name": "other", "title": "Other", "version": "1",
     "tracks": {"main": {"file": "main.wav", "bpm": 100}}, "sounds": {"click": {"file": "click.wav"}},
     "patterns": {"thud": {"file": "thud.ahap"}},
     "cues": {"hit": {"steps": [{"sound": "click"}, {"pattern": "thud"}]},
              "over": {"steps": [{"music": {"play": "main", "crossfade": 0.3}}]}},
     "parameters": {"low": {"default": 1, "targets": [{"sound": "click", "gain": {"power": 1}}]}}}
    """

  static func seconds(_ microseconds: Int64) -> String {
    let fraction = String(microseconds % 1_000_000)
    return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }

  private static let thud = """
    {"Version": 1.0, "Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": []}}]}
    """

  /// Felt and heard for half a second; without overtones, which are steep by nature.
  private static func hum(seconds: Double) -> String {
    """
    {"Version": 1.0, "Pattern": [
      {"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": \(seconds)}},
      {"Event": {"Time": 0.05, "EventType": "AudioContinuous", "EventDuration": 0.3,
       "EventParameters": [{"ParameterID": "AudioVolume", "ParameterValue": 0.2},
                           {"ParameterID": "AudioBrightness", "ParameterValue": 0}]}},
      {"Event": {"Time": 0.2, "EventType": "AudioCustom", "EventWaveformPath": "click.wav"}}]}
    """
  }

  /// A level that moves all the time.
  private static func swell(seconds: Double) -> String {
    """
    {"Version": 1.0, "Pattern": [
      {"Event": {"Time": 0.1, "EventType": "HapticContinuous", "EventDuration": \(seconds)}},
      {"ParameterCurve": {"ParameterID": "HapticIntensityControl", "Time": 0.1, "ParameterCurveControlPoints": [
        {"Time": 0, "ParameterValue": 0}, {"Time": 1, "ParameterValue": 1}]}}]}
    """
  }

  /// The track `finale` of another reading: of the same length, and nowhere else the same.
  private static func finale(_ variant: Int) -> [UInt8] {
    sine(seconds: 1.5, amplitude: Double(musicAmplitude), frequency: 100 + 2 * Double(variant))
  }

  /// Mono, 48 kHz, 16 bit: whole periods.
  static func sine(seconds: Double, amplitude: Double, frequency: Double = 100) -> [UInt8] {
    let frames = Int(seconds * 48_000)
    let samples = [Int16](unsafeUninitializedCapacity: frames) { samples, count in
      var frame = 0
      while frame < frames {
        let phase = 2 * Double.pi * Double(frame) * frequency / 48_000
        samples[frame] = Int16((32_767 * amplitude * sin(phase)).rounded())
        frame += 1
      }
      count = frames
    }
    return waveBytes(samples)
  }
}

/// What does not hold, in words.
public struct SimulationFailure: Error, CustomStringConvertible {
  /// What was seen and what should have been.
  public var description: String

  init(_ description: String) { self.description = description }
}
