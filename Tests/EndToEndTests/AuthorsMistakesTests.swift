// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import Testing

/// What is typically done wrong in a first pack: `starlight pack check` finds each, at its line, and says the cure.
@Suite struct AuthorsMistakesTests {
  private static let files = [
    "pack.json": """
    {
      "name": "lighthouse",
      "title": "Lighthouse",
      "version": "1.0",
      "tracks": {
        "calm": { "file": "calm.wav", "bpm": 90 },
        "storm": { "file": "storm.wav", "bpm": 120, "loop": false }
      },
      "sounds": {
        "bell": { "file": "sounds/bell.wav", "gain": 0.7 },
        "wave": { "file": "sounds/wave.wav" },
        "gull": { "file": "sounds/gull.wav", "bus": "voice" }
      },
      "patterns": {
        "thud": { "file": "thud.ahap" }
      },
      "cues": {
        "lit": {
          "steps": [
            { "sound": "bell" },
            { "at": 0.05, "pattern": "thud", "gain": 0.6 },
            { "at": 0.5, "music": { "play": "calm", "crossfade": 2 } }
          ]
        }
      },
      "chapters": {
        "signals": {
          "title": "Signals",
          "track": "storm",
          "length": 4,
          "window": 0.15,
          "lanes": ["left", "right"],
          "beats": "signals.beats.json",
          "feedback": { "hit": "lit" }
        }
      }
    }
    """,
    "signals.beats.json": """
    {
      "bpm": 120,
      "beats": [
        { "at": 1, "lane": "left" },
        { "at": 2, "lane": "right" },
        { "at": 3, "lane": "left" }
      ]
    }
    """,
    "thud.ahap": """
    {
      "Version": 1.0,
      "Pattern": [
        { "Event": { "Time": 0.0, "EventType": "HapticTransient", "EventParameters": [
          { "ParameterID": "HapticIntensity", "ParameterValue": 1.0 },
          { "ParameterID": "HapticSharpness", "ParameterValue": 0.3 }
        ] } }
      ]
    }
    """,
  ]

  /// One thing written otherwise than it should be, and what must be said of it.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var what: String
    var file = "pack.json"
    var old: String
    var new: String
    /// Line and column, and how grave it is.
    var place: String
    var cure: String
    var testDescription: String { what }
  }

  static let mistakes = [
    Mistake(
      what: "a comma left out", old: #""title": "Lighthouse","#, new: #""title": "Lighthouse""#, place: "4:3: error: ",
      cure: "put a comma before it"),
    Mistake(
      what: "a comma too many", old: #""bus": "voice" }"#, new: #""bus": "voice" },"#, place: "12:58: error: ",
      cure: "remove it"),
    Mistake(
      what: "a comment", old: #""version": "1.0","#, new: #""version": "1.0", // first"#, place: "4:21: error: ",
      cure: "remove the comment"),
    Mistake(
      what: "a name twice", old: #""wave": {"#, new: #""bell": {"#, place: "11:5: error: sounds.bell: ",
      cure: "keep one of them"),
    Mistake(
      what: "a mistyped field", old: #""bpm": 90"#, new: #""bmp": 90"#, place: "6:35: error: tracks.calm.bmp: ",
      cure: "write bpm"),
    Mistake(
      what: "a mistyped name", old: #"{ "sound": "bell" }"#, new: #"{ "sound": "bel" }"#,
      place: "20:20: error: cues.lit.steps[0].sound: ", cure: "write bell"),
    Mistake(
      what: "a cue that is not there", old: #""hit": "lit""#, new: #""hit": "flash""#, place: "34:28: error: ",
      cure: "use a cue that is there (lit), or add this one"),
    Mistake(
      what: "a window in milliseconds", old: "0.15", new: "150", place: "31:17: error: chapters.signals.window: ",
      cure: "if 150 ms was meant, write 0.15"),
    Mistake(
      what: "a fade in milliseconds", old: #""crossfade": 2 "#, new: #""crossfade": 2000 "#, place: "22:62: error: ",
      cure: "if 2000 ms was meant, write 2"),
    Mistake(
      what: "a step in milliseconds", old: #""at": 0.05"#, new: #""at": 50"#, place: "21:17: warning: ",
      cure: "if 50 ms was meant, write 0.05"),
    Mistake(
      what: "a gain in decibels", old: #""gain": 0.7"#, new: #""gain": -6"#, place: "10:50: error: ",
      cure: "if -6 dB was meant, write 0.501"),
    Mistake(
      what: "a number in quotes", old: #""bpm": 120"#, new: #""bpm": "120""#, place: "7:44: error: ",
      cure: "write 120, without quotes"),
    Mistake(
      what: "an absolute path", old: #""sounds/wave.wav""#, new: #""/home/me/wave.wav""#, place: "11:23: error: ",
      cure: "name the file from the pack's folder on"),
    Mistake(
      what: "capitals in a file's name", old: #""sounds/wave.wav""#, new: #""sounds/Wave.wav""#,
      place: "11:23: error: ",
      cure: "write sounds/wave.wav"),
    Mistake(
      what: "a backslash", old: #""sounds/wave.wav""#, new: #""sounds\\wave.wav""#, place: "11:23: error: ",
      cure: "write sounds/wave.wav: folders are separated by /"),
    Mistake(
      what: "another ending", old: #""calm.wav""#, new: #""calm.ogg""#, place: "6:23: error: ", cure: "write calm.wav"),
    Mistake(
      what: "an AAC file", old: #""calm.wav""#, new: #""calm.m4a""#, place: "6:23: error: ", cure: "ffmpeg -i"),
    Mistake(
      what: "a name with capitals and a space", old: #""gull": {"#, new: #""Sea Gull": {"#, place: "12:5: error: ",
      cure: "use small letters, digits, _ and - alone"),
    Mistake(
      what: "a field left out", old: "      \"title\": \"Signals\",\n", new: "", place: "27:16: error: ",
      cure: #"add it, as in "title": "#),
    Mistake(
      what: "two things in one step", old: #"{ "sound": "bell" }"#, new: #"{ "sound": "bell", "pattern": "thud" }"#,
      place: "20:9: error: ", cure: "write one of them in each step"),
    Mistake(
      what: "a lane that is not there", file: "signals.beats.json", old: #""right""#, new: #""middle""#,
      place: "5:24: error: ", cure: "name one of the chapter's lanes: left, right"),
    Mistake(
      what: "beats out of order", file: "signals.beats.json", old: #""at": 2"#, new: #""at": 0.5"#,
      place: "5:5: error: ", cure: "sort the beats by time"),
    Mistake(
      what: "a beat in milliseconds", file: "signals.beats.json", old: #""at": 3"#, new: #""at": 3000"#,
      place: "6:5: error: ", cure: "if 3000 ms was meant, write 3"),
    Mistake(
      what: "a chapter longer than its track", old: #""length": 4"#, new: #""length": 9"#, place: "30:17: warning: ",
      cure: "let the track loop"),
    Mistake(
      what: "a loop behind the file's end", old: #""loop": false"#, new: #""loop": { "start": 1, "end": 60 }"#,
      place: "7:57: error: ", cure: "give points between 0 and 4.0 s"),
    Mistake(
      what: "an unknown event", file: "thud.ahap", old: "HapticTransient", new: "HapticTransent",
      place: "4:44: error: ",
      cure: "write one of HapticTransient"),
    Mistake(
      what: "Python's False", old: #""loop": false"#, new: #""loop": False"#, place: "7:57: error: ",
      cure: "write false"),
    Mistake(
      what: "a key without quotes", old: #""bpm": 90"#, new: "bpm: 90", place: "6:35: error: ",
      cure: "write the key in quotes"),
    Mistake(
      what: "quotes of a word processor", old: #""version": "1.0""#, new: "\u{201C}version\u{201D}: \"1.0\"",
      place: "4:3: error: ", cure: "use straight double quotes"),
    Mistake(
      what: "a list for an object", old: #"{ "file": "thud.ahap" }"#, new: #"["thud.ahap"]"#, place: "15:13: error: ",
      cure: #"write {"file": "thud.ahap"}"#),
    Mistake(
      what: "a quote that closes nothing", old: #""title": "Lighthouse","#, new: #""title": "Lighthouse,"#,
      place: "3:12: error: the string that begins here is not closed", cure: "close it with a double quote"),
    Mistake(
      what: "a quote left out between two", old: #""title": "Signals","#, new: #""title: "Signals","#,
      place: "28:7: error: the string that begins here ends before Signals", cure: "close it where it was to end"),
    Mistake(
      what: "a brace left out", old: "{ \"play\": \"calm\", \"crossfade\": 2 } }\n      ]\n    }",
      new: "{ \"play\": \"calm\", \"crossfade\": 2 } }\n      ]\n",
      place: "18:12: error: the { that begins here is not closed", cure: "write } before line 25"),
    Mistake(
      what: "a bracket left out", old: "2 } }\n      ]", new: "2 } }\n      ",
      place: "24:5: error: found } where , or ] should be: the [ of line 19, column 16 is not closed",
      cure: "write ] before it"),
    Mistake(
      what: "a word of another program", old: #""gain": 0.7"#, new: #""volume": 0.7"#,
      place: "10:42: error: sounds.bell.volume: ", cure: "write gain"),
    Mistake(
      what: "a track played as a sound", old: #"{ "sound": "bell" }"#, new: #"{ "sound": "storm" }"#,
      place: "20:20: error: cues.lit.steps[0].sound: no sound storm: storm is a track",
      cure: #"write {"music": {"play": "storm"}}"#),
    Mistake(
      what: "a name for an object", old: #"{ "play": "calm", "crossfade": 2 }"#, new: #""calm""#,
      place: "22:31: error: ", cure: #"write {"play": "calm"}"#),
    Mistake(
      what: "an alignment that there is none", old: "\"lit\": {\n", new: "\"lit\": {\n \"align\": \"sound\",\n",
      place: "19:11: error: cues.lit.align: ", cure: #"write "soundFirst""#),
    Mistake(
      what: "a title without a letter", old: #""title": "Signals""#, new: #""title": """#, place: "28:16: error: ",
      cure: "write what people read, as in"),
    Mistake(
      what: "more beats of a grid than fit", old: #""signals.beats.json""#,
      new: #"{ "bpm": 60, "offset": 0.5, "count": 40 }"#,
      place: "33:53: warning: ", cure: "write 4, or make the chapter longer"),
  ]

  private func makePack(_ pack: String, _ mistakes: [Mistake]) throws {
    try FileManager.default.createDirectory(atPath: pack + "/sounds", withIntermediateDirectories: true)
    for (name, text) in Self.files {
      var text = text
      for mistake in mistakes where mistake.file == name {
        #expect(text.split(separator: mistake.old, omittingEmptySubsequences: false).count == 2, "\(mistake.what)")
        text = text.replacing(mistake.old, with: mistake.new)
      }
      try Data(text.utf8).write(to: URL(filePath: pack + "/" + name))
    }
    try WaveFile.write(pack + "/calm.wav", seconds: 2) { _ in 0.1 }
    try WaveFile.write(pack + "/storm.wav", seconds: 4) { _ in 0.1 }
    for name in ["bell", "wave", "gull"] { try WaveFile.write(pack + "/sounds/\(name).wav", seconds: 0.1) { _ in 0.1 } }
    try Data([0, 0, 0, 32] + Array("ftypM4A ".utf8) + [UInt8](repeating: 0, count: 300)).write(
      to: URL(filePath: pack + "/calm.m4a"))
  }

  @Test func thePackIsRightAsItIs() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    try makePack(directory + "/lighthouse", [])
    let run = try runTool(["pack", "check", directory + "/lighthouse"], socket: "/nonexistent")
    #expect(run.code == 0 && run.output.isEmpty, "\(run.output)")
  }

  @Test(arguments: mistakes)
  func eachIsFoundAtItsPlaceWithItsCure(mistake: Mistake) throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pack = directory + "/lighthouse"
    try makePack(pack, [mistake])
    let run = try runTool(["pack", "check", pack], socket: "/nonexistent")
    #expect(run.code == (mistake.place.contains("warning") ? 0 : 1))
    let lines = run.output.split(separator: "\n")
    let found = lines.firstIndex { $0.hasPrefix("\(pack)/\(mistake.file):\(mistake.place)") }
    let cure = found.flatMap { found in lines[found...].dropFirst().first { $0.hasPrefix("    fix: ") } }
    #expect(cure?.contains(mistake.cure) == true, "\(run.output)")
  }

  /// Those that hide nothing of the others, all in one pack: each is told, and no more.
  @Test func allAreToldAtOnce() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let pack = directory + "/lighthouse"
    let together = [
      "a comment", "a mistyped field", "a cue that is not there", "a window in milliseconds", "a fade in milliseconds",
      "a step in milliseconds", "a gain in decibels", "a number in quotes", "capitals in a file's name",
      "a name with capitals and a space", "two things in one step", "an unknown event", "Python's False",
      "a quote that closes nothing",
    ]
    let mistakes = Self.mistakes.filter { together.contains($0.what) }
    #expect(mistakes.count == together.count)
    try makePack(pack, mistakes)
    let run = try runTool(["pack", "check", pack], socket: "/nonexistent")
    #expect(run.code == 1)
    let told = run.output.split(separator: "\n").filter { $0.contains(": error: ") || $0.contains(": warning: ") }
    #expect(told.count == mistakes.count, "\(run.output)")
    for mistake in mistakes {
      let line = mistake.place.split(separator: ":")[0]
      #expect(told.contains { $0.hasPrefix("\(pack)/\(mistake.file):\(line):") }, "\(mistake.what): \(run.output)")
    }
  }
}
