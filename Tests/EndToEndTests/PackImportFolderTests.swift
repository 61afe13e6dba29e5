// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// `starlight pack import` of whole folders, and what it does not do.
@Suite struct PackImportFolderTests {
  let folder: String

  init() throws { folder = try makeTemporaryDirectory() }

  private func imports(_ words: [String], environment: [String] = []) throws -> (code: Int32, output: String) {
    try runTool(["pack", "import"] + words, in: folder, environment: environment)
  }

  private func write(_ text: String, _ file: String) throws {
    let path = folder + "/" + file
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(atPath: "/" + parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  /// All files below the test's folder, with what they hold.
  private func everything() throws -> [String: Data] {
    var all: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      all[name] = (try? Data(contentsOf: URL(filePath: folder + "/" + name))) ?? Data()
    }
    return all
  }

  private static let osu = """
    osu file format v14
    [General]
    AudioFilename: Storm (final).m4a
    Mode: 3
    [Metadata]
    Title:Storm
    Version:Hard
    [Difficulty]
    CircleSize:4
    [TimingPoints]
    100,500,4,2,1,60,1,0
    [HitObjects]
    64,192,100,1,0
    192,192,600,1,0
    320,192,600,1,0
    448,192,1100,1,0
    448,192,9999,1,0
    """

  @Test(.enabled(if: ImportedSound.hasFFmpeg, "ffmpeg is not installed"))
  func aFolderOfAssetsBecomesAPackThatTheDaemonPlays() throws {
    defer { removeDirectory(folder) }
    try write(Self.osu, "assets/music/storm.osu")
    try write("0.5 left\n1 right\n", "assets/music/calm.txt")
    try write("read me", "assets/README.txt")
    try write(
      #"{"Version": 1.0, "Pattern": [{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "sfx/thud.wav", "EventParameters": []}}]}"#,
      "assets/thud.ahap")
    for name in ["sfx", "Voice"] { mkdir(folder + "/assets/" + name, 0o755) }
    let tone = (0..<96_000).map { Int16(8_000 * sin(Double($0) * 0.05)) }
    try ImportedSound.write(tone, rate: 48_000, "assets/music/Storm (final).m4a", as: ["-c:a", "aac"], in: folder)
    try ImportedSound.write(tone, rate: 48_000, "assets/music/calm.ogg", as: ["-c:a", "libvorbis"], in: folder)
    try ImportedSound.write(tone, rate: 48_000, "assets/sfx/thud.wav", in: folder)
    try ImportedSound.write(tone, rate: 48_000, "assets/Voice/Hello!.mp3", in: folder)
    let run = try imports(["assets", "--into", "light-house"])
    #expect(run.code == 0, "\(run.output)")
    #expect(run.output.contains("2 tracks, 2 sounds, 1 pattern, 2 chapters"), "\(run.output)")
    #expect(run.output.contains("left alone: README.txt"), "\(run.output)")
    #expect(run.output.contains("2 of 5 beats left out: 1 within 20 ms of another, 1 behind the end"), "\(run.output)")
    let manifest = try String(contentsOfFile: folder + "/light-house/pack.json", encoding: .utf8)
    for entry in [
      #""storm-final": { "file": "music/Storm (final).flac", "bpm": 120, "firstBeat": 0.1 }"#,
      #""calm": { "file": "music/calm.ogg" }"#,
      // The pattern names it by what it is.
      #""thud": { "file": "sfx/thud.wav" }"#,
      #""hello": { "file": "Voice/Hello!.flac", "bus": "voice" }"#,
      #""storm": { "title": "Storm, Hard", "track": "storm-final", "length": 2, "lanes": ["left", "down", "up", "right"], "#
        + #""beats": "music/storm.beats.json" }"#,
      #""calm": { "title": "calm", "track": "calm", "length": 2, "lanes": ["left", "right"], "beats": "music/calm.beats.json" }"#,
    ] { #expect(manifest.contains(entry), "\(entry) is not in \(manifest)") }
    let check = try runTool(["pack", "check", "light-house"], in: folder, environment: [])
    #expect(check.code == 0 && check.output.isEmpty, "\(check.output)")
    let daemon = try DaemonProcess(
      ["--clock", "stepped", "--pack", "light-house"], packs: folder + "/light-house")
    for words in [
      ["music", "play", "storm-final"], ["sound", "play", "hello"], ["call", "haptics.play", #"{"pattern":"thud"}"#],
      ["call", "rhythm.start", #"{"chapter":"storm"}"#],
    ] {
      let run = try runTool(words, socket: daemon.socketPath)
      #expect(run.code == 0, "\(words): \(run.output)")
    }
    // What is there is left alone, and what is forced leaves the entries as they are.
    let before = try everything()
    let again = try imports(["assets", "--into", "light-house"])
    #expect(again.code == 1 && again.output.contains("is there already, and 6 more"), "\(again.output)")
    #expect(try everything() == before)
    #expect(try imports(["assets", "--into", "light-house", "--force"]).code == 0)
    #expect(try everything() == before)
  }

  @Test(.enabled(if: ImportedSound.hasFFmpeg, "ffmpeg is not installed"))
  func whatFailsHalfWayLeavesAllAsItWas() throws {
    defer { removeDirectory(folder) }
    let tone = [Int16](repeating: 100, count: 4_800)
    mkdir(folder + "/assets", 0o755)
    try ImportedSound.write(tone, rate: 48_000, "assets/a.wav", in: folder)
    try write("this is no sound", "assets/b.wav")
    let before = try everything()
    let run = try imports(["assets", "--into", "pack"])
    #expect(run.code == 1 && run.output.contains("assets/b.wav cannot be read by ffmpeg"), "\(run.output)")
    #expect(try everything() == before)
    // What only shows once others are done.
    unlink(folder + "/assets/b.wav")
    try write("ID3", "assets/b.ogg")
    let later = try everything()
    #expect(try imports(["assets", "--into", "pack"]).code == 1)
    #expect(try everything() == later)
    // In a pack that is there likewise.
    try write(#"{"name": "pack", "title": "P", "version": "1"}"#, "pack/pack.json")
    let there = try everything()
    #expect(try imports(["assets", "--into", "pack"]).code == 1)
    #expect(try everything() == there)
  }

  @Test func beatsComeIntoAPackThatIsThereAndItsTextStays() throws {
    defer { removeDirectory(folder) }
    let manifest = """
      {
        "name": "game", "title": "Game",   "version": "1",
        "tracks": { "one": { "file": "one.wav", "bpm": 90 } }
      }
      """
    try write(manifest, "game/pack.json")
    try WaveFile.write(folder + "/game/one.wav", seconds: 3) { _ in 0.1 }
    try write("0.5\n1\n1.5\n", "one.txt")
    let run = try imports(["one.txt", "--into", "game/", "--shift", "-0.1"])
    #expect(run.code == 0 && run.output.contains("one.beats.json                chapter one, 3 beats"), "\(run.output)")
    #expect(
      try String(contentsOfFile: folder + "/game/pack.json", encoding: .utf8) == """
        {
          "name": "game", "title": "Game",   "version": "1",
          "tracks": { "one": { "file": "one.wav", "bpm": 90 } },
          "chapters": {
            "one": { "title": "one", "track": "one", "length": 3, "beats": "one.beats.json" }
          }
        }
        """)
    #expect(
      try String(contentsOfFile: folder + "/game/one.beats.json", encoding: .utf8) == """
        {
          "beats": [
            { "at": 0.4 },
            { "at": 0.9 },
            { "at": 1.4 }
          ]
        }

        """)
    let check = try runTool(["pack", "check", "game"], in: folder, environment: [])
    #expect(check.code == 0 && check.output.isEmpty, "\(check.output)")
  }

  @Test func whereOneFileFindsNoPlaceNoneComes() throws {
    defer { removeDirectory(folder) }
    try write(Self.osu, "assets/a.osu")
    try write(Self.osu, "assets/b.osu")
    try write(Self.osu, "assets/art/a.osu")
    try write(Self.osu, "assets/music/c.osu")
    try write(#"{"name": "game", "title": "G", "version": "1"}"#, "game/pack.json")
    try write("of before", "game/a.beats.json")
    // A file where a folder has to be, and a folder where a file has to be.
    try write("no folder", "game/music")
    let before = try everything()
    let run = try imports(["assets", "--into", "game", "--force"])
    #expect(run.code == 1 && run.output.contains("game/music/c.beats.json: Not a directory"), "\(run.output)")
    #expect(run.output.contains("the pack is as it was"))
    #expect(try everything() == before)
    unlink(folder + "/game/music")
    mkdir(folder + "/game/b.beats.json", 0o755)
    let then = try everything()
    let other = try imports(["assets", "--into", "game", "--force"])
    #expect(other.code == 1 && other.output.contains("game/b.beats.json: Is a directory"), "\(other.output)")
    #expect(try everything().filter { $0.key != "game/music" } == then)
    rmdir(folder + "/game/b.beats.json")
    #expect(try imports(["assets", "--into", "game", "--force"]).code == 0)
    #expect(try String(contentsOfFile: folder + "/game/a.beats.json", encoding: .utf8).contains("\"bpm\": 120"))
  }

  @Test func whatIsWrongIsTold() throws {
    defer { removeDirectory(folder) }
    try write("1\nzwei\n", "a.txt")
    try write("1\n", "b.txt")
    try write("{", "broken/pack.json")
    try write("", "empty/x.doc")
    for (words, said, code) in [
      (["a.txt"], "no pack is named", 2),
      (["a.txt", "--into", "pack"], "a.txt:2:1: a line begins with a time, and this one with \"zwei\"", 1),
      (["b.txt", "--into", "Pack"], "a pack cannot be called that", 2),
      (["b.txt", "--into", "broken"], "broken/pack.json has faults, and is left as it is", 1),
      (["none", "--into", "pack"], "none does not exist", 1),
      (["empty", "--into", "pack"], "there is nothing to import", 1),
      (["b.txt", "--into", "no/where"], "cannot write the pack", 1),
      (
        ["b.txt", "--into", "pack", "--shift", "-5"], "no beat of b.txt can be tapped: 1 of 1 beats left out: 1 before",
        1
      ),
    ] {
      let before = try everything()
      let run = try imports(words)
      #expect(run.code == Int32(code) && run.output.contains(said), "\(words): \(run)")
      #expect(try everything() == before)
    }
  }

  @Test(.enabled(if: ImportedSound.hasFFmpeg, "ffmpeg is not installed"))
  func whatFFmpegCannotReadIsToldInItsWordsForPeople() throws {
    defer { removeDirectory(folder) }
    try write("", "empty.wav")
    let empty = try imports(["empty.wav", "--into", "pack"])
    #expect(empty.code == 1 && empty.output.contains("empty.wav is empty (0 bytes)"), "\(empty.output)")
    try write("ID3", "bad.mp3")
    let bad = try imports(["bad.mp3", "--into", "pack"])
    #expect(bad.code == 1 && bad.output.contains("bad.mp3 cannot be read by ffmpeg: "), "\(bad.output)")
    #expect(!bad.output.contains(" @ 0x"), "\(bad.output)")
  }

  @Test func withoutFFmpegTheLineThatInstallsItIsTold() throws {
    defer { removeDirectory(folder) }
    try WaveFile.write(folder + "/a.wav", seconds: 0.1) { _ in 0.1 }
    let run = try imports(["a.wav", "--into", "pack"], environment: ["PATH=/nowhere"])
    #expect(run.code == 1 && run.output.contains("ffprobe is not installed"), "\(run.output)")
    #expect(run.output.contains("apt install ffmpeg"), "\(run.output)")
    #expect(access(folder + "/pack", F_OK) != 0)
  }
}
