// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import GamePacks
import Problems
import SoundFiles
import Testing

@testable import Host

/// What packs keep in memory, and how much of it they may.
@Suite struct SoundMemoryTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/starlight-memory-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func write(_ text: String, _ name: String) throws {
    try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
  }

  private func writeWave(_ name: String, seconds: Double) throws {
    try Data(HostRig.wave(seconds: seconds)).write(to: URL(filePath: folder + "/" + name))
  }

  private func manifest(_ name: String = "p", sounds: [(String, String)], more: String = "") -> String {
    let lines = sounds.map { "  \"\($0.0)\": {\"file\": \"\($0.1)\"}" }.joined(separator: ",\n")
    return "{\"name\": \"\(name)\", \"title\": \"P\", \"version\": \"1\", \"sounds\": {\n\(lines)}\(more)}"
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  @Test func sixtySoundsAndPatternsOfOneFileAreInMemoryOnce() throws {
    defer { remove() }
    try writeWave("bell.wav", seconds: 1)
    try FileManager.default.createSymbolicLink(atPath: folder + "/gong.wav", withDestinationPath: "bell.wav")
    let names = (0..<60).map { ("s\($0)", $0 % 2 == 0 ? "bell.wav" : "gong.wav") }
    try write(manifest(sounds: [("one", "bell.wav")]), "pack.json")
    let one = try PackLoader(rate: 48_000).load(PackFolders(named: [folder]), active: nil).bank.residentBytes
    try write(manifest(sounds: names), "pack.json")
    let (catalog, bank) = try PackLoader(rate: 48_000).load(PackFolders(named: [folder]), active: nil)
    #expect(one > 0 && bank.residentBytes == one && catalog.packs.first?.sounds.count == 60)
    #expect(catalog.packs.first?.problems == [])
    let events = ["bell.wav", "gong.wav"].map {
      #"{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "\#($0)"}}"#
    }
    try write("{\"Version\": 1, \"Pattern\": [\(events.joined(separator: ", "))]}", "boom.ahap")
    try write(manifest(sounds: names, more: #", "patterns": {"boom": {"file": "boom.ahap"}}"#), "pack.json")
    let (_, felt) = try PackLoader(rate: 48_000).load(PackFolders(named: [folder]), active: nil)
    // The same without treble, once: a second of floats.
    #expect(felt.residentBytes == one + 48_000 * 8)
  }

  @Test func ofAHundredTracksLessIsKeptThanOfOneEach() throws {
    defer { remove() }
    try writeWave("song.wav", seconds: 2)
    func resident(_ count: Int) throws -> Int {
      let tracks = (0..<count).map { "\"t\($0)\": {\"file\": \"song.wav\"}" }.joined(separator: ", ")
      try write("{\"name\": \"p\", \"title\": \"P\", \"version\": \"1\", \"tracks\": {\(tracks)}}", "pack.json")
      return try PackLoader(rate: 48_000).load(PackFolders(named: [folder]), active: nil).bank.residentBytes
    }
    let one = try resident(1)
    // 16 bits at the engine's rate, so half of what floats take.
    #expect(one == 14_400 * 4)
    #expect(try resident(45) == 45 * one)
    #expect(try resident(100) == 100 * 6_554 * 4)
  }

  /// By their order in the alphabet, whichever thread is faster.
  @Test func whatHasNoRoomInItsPackIsToldAtItsPlaceAndTheRestIsThere() throws {
    defer { remove() }
    for name in ["a", "b", "c", "d"] { try writeWave(name + ".wav", seconds: name == "d" ? 0.05 : 0.5) }
    try write(manifest(sounds: ["a", "b", "c", "d"].map { ($0, $0 + ".wav") }), "pack.json")
    let half = try LoadedSound(path: folder + "/a.wav", rate: 48_000)
    let most = 5 * half.residentBytes / 2
    for _ in 0..<20 {
      let (catalog, bank) = try PackLoader(rate: 48_000, mostOfAPack: most).load(
        PackFolders(named: [folder]), active: nil)
      let pack = try #require(catalog.packs.first)
      #expect(pack.sounds.keys.sorted() == ["a", "b", "d"])
      let problem = try #require(pack.problems.first)
      #expect(pack.problems.count == 1 && problem.kind == .tooLarge && problem.remedy != nil)
      #expect(problem.where.line == 4 && problem.where.column == 17 && problem.where.file == folder + "/pack.json")
      #expect(problem.where.field == "sounds.c.file" && bank.soundRoom.takenBytes < most)
    }
  }

  @Test func whatHasNoRoomBesideOtherPacksIsToldAndHasItOnceTheyAreGone() throws {
    defer { remove() }
    try writeWave("bell.wav", seconds: 1)
    try write(manifest(sounds: [("bell", "bell.wav")]), "pack.json")
    // Room for one, and not for another while it is decoded.
    let one = try LoadedSound(path: folder + "/bell.wav", rate: 48_000)
    let room = SoundRoom(most: 5 * one.residentBytes / 2)
    let loader = PackLoader(rate: 48_000, soundRoom: room)
    var first: FolderReading? = loader.read(folder)
    #expect(first?.problems == [] && room.takenBytes > 0)
    let refused = loader.read(folder)
    #expect(refused.problems.map(\.kind) == [.noMemory] && refused.problems.first?.where.line == 2)
    #expect(refused.loaded?.pack.sounds.isEmpty == true)
    first = nil
    #expect(room.takenBytes == 0 && loader.read(folder).problems == [])
  }

  /// A pack that has no room takes none from others.
  @Test func aPackThatHasNoRoomTakesNoneFromOthers() throws {
    defer { remove() }
    for pack in ["full", "small"] {
      try FileManager.default.createDirectory(atPath: folder + "/" + pack, withIntermediateDirectories: true)
      try writeWave(pack + "/bell.wav", seconds: pack == "full" ? 3 : 0.5)
      try write(manifest(pack, sounds: [("bell", "bell.wav")]), pack + "/pack.json")
    }
    let (catalog, _) = try PackLoader(rate: 48_000, mostOfAPack: 500_000).load(
      PackFolders(named: [folder]), active: nil)
    #expect(catalog.packs.map { $0.problems.count } == [1, 0])
    #expect(catalog.packs.map { $0.sounds.count } == [0, 1])
  }
}
