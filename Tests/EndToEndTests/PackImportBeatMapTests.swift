// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// `starlight pack import` of beat maps as packs have them already.
@Suite struct PackImportBeatMapTests {
  let folder: String

  init() throws {
    folder = try makeTemporaryDirectory()
    for name in ["game", "assets"] { mkdir(folder + "/" + name, 0o755) }
    try write(
      #"{"name": "game", "title": "Game", "version": "1", "tracks": {"one": {"file": "one.wav"}}}"#, "game/pack.json")
    try WaveFile.write(folder + "/game/one.wav", seconds: 3) { _ in 0.1 }
  }

  private func write(_ text: String, _ file: String) throws {
    try Data(text.utf8).write(to: URL(filePath: folder + "/" + file))
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
  }

  private func imports(_ words: [String]) throws -> (code: Int32, output: String) {
    try runTool(["pack", "import", "assets", "--into", "game"] + words, in: folder, environment: [])
  }

  private static let map = #"{"bpm": 90, "beats": [{"at": 0.5, "lane": "left"},  {"at": 1, "lane": "right"}]}"#

  @Test(arguments: ["one.beats.json", "one.json"]) func itIsCopiedAndHasItsChapter(file: String) throws {
    defer { removeDirectory(folder) }
    try write(Self.map, "assets/" + file)
    let run = try imports([])
    #expect(run.code == 0 && run.output.contains("chapter one, 2 beats"), "\(run.output)")
    #expect(try text("game/" + file) == Self.map)
    let chapter =
      #""one": { "title": "one", "track": "one", "length": 3, "lanes": ["left", "right"], "beats": "\#(file)" }"#
    let manifest = try text("game/pack.json")
    #expect(manifest.contains(chapter), "\(manifest)")
    let check = try runTool(["pack", "check", "game"], in: folder, environment: [])
    #expect(check.code == 0 && check.output.isEmpty, "\(check.output)")
  }

  @Test func whatIsMovedOrLeftOutIsWrittenAnew() throws {
    defer { removeDirectory(folder) }
    try write(#"{"bpm": 90, "beats": [{"at": 0.5}, {"at": 1}, {"at": 7}]}"#, "assets/one.beats.json")
    let run = try imports(["--shift", "-0.1"])
    #expect(run.code == 0 && run.output.contains("1 of 3 beats left out: 1 behind the end"), "\(run.output)")
    let written = try text("game/one.beats.json")
    #expect(
      written.contains("\"bpm\": 90") && written.contains("{ \"at\": 0.4 },\n    { \"at\": 0.9 }\n"), "\(written)")
  }

  @Test func withoutATrackItHasNoChapterAndThatIsTold() throws {
    defer { removeDirectory(folder) }
    try write(Self.map, "assets/two.beats.json")
    let run = try imports([])
    #expect(run.code == 0 && run.output.contains("no track is called like it, so it has no chapter"), "\(run.output)")
    #expect(try text("game/two.beats.json") == Self.map)
    #expect(!(try text("game/pack.json").contains("chapters")))
  }

  @Test func oneWithFaultsIsToldWithItsPlace() throws {
    defer { removeDirectory(folder) }
    try write(#"{"beats": [{"at": 1}, {"at": 0.5}]}"#, "assets/one.beats.json")
    let run = try imports([])
    #expect(run.code == 1 && run.output.contains("assets/one.beats.json:1:23: "), "\(run.output)")
    #expect(access(folder + "/game/one.beats.json", F_OK) != 0)
  }

  /// However short it is.
  @Test(.enabled(if: ImportedSound.hasFFmpeg, "ffmpeg is not installed")) func aSoundWithAMapIsATrack() throws {
    defer { removeDirectory(folder) }
    let tone = (0..<96_000).map { Int16(8_000 * sin(Double($0) * 0.05)) }
    try ImportedSound.write(tone, rate: 48_000, "assets/two.ogg", as: ["-c:a", "libvorbis"], in: folder)
    try write(Self.map, "assets/two.beats.json")
    let run = try imports([])
    #expect(run.code == 0 && run.output.contains("1 track, 1 chapter"), "\(run.output)")
  }
}
