// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GamePacks
import Haptics
import Testing

@testable import Host

/// The sound files that patterns name.
@Suite struct WaveformTests {
  @Test func aPatternsFilesStayInsideItsPackAndWhatIsMissingIsToldOf() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/starlight-waveforms-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let manifest = #"{"name": "p", "title": "P", "version": "1", "patterns": {"boom": {"file": "boom.ahap"}}}"#
    let events = ["../secret.wav", "/etc/passwd", "gone.wav"].map { path in
      #"{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "\#(path)"}}"#
    }
    let pattern = "{\"Version\": 1, \"Pattern\": [\n\(events.joined(separator: ",\n"))]}"
    try manifest.write(toFile: folder + "/pack.json", atomically: true, encoding: .utf8)
    try pattern.write(toFile: folder + "/boom.ahap", atomically: true, encoding: .utf8)
    let (catalog, bank) = try PackLoader(rate: 48_000).load(PackFolders(named: [folder]), active: nil)
    let pack = try #require(catalog.packs.first)
    #expect(pack.patterns["boom"]?.audioEvents.count == 3)
    #expect(pack.waveforms.isEmpty && bank.residentBytes == 0)
    #expect(pack.problems.count == 3)
    #expect(pack.problems[0].description.contains("leaves the pack"))
    #expect(pack.problems[1].description.contains("is absolute"))
    #expect(
      pack.problems[2].description.hasPrefix(
        "pack p: pattern boom: \(folder)/boom.ahap:4:72: EventWaveformPath \"gone.wav\" is not heard: \(folder)/gone.wav"
      ))
  }

  /// A hundred are told by their places, the rest by their number.
  @Test func ofVeryManyThatAreMissingAHundredAreToldOneByOne() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/starlight-waveforms-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let manifest = #"{"name": "p", "title": "P", "version": "1", "patterns": {"boom": {"file": "boom.ahap"}}}"#
    let events = (0..<130).map { number in
      #"{"Event": {"Time": 0, "EventType": "AudioCustom", "EventWaveformPath": "gone\#(number).wav"}}"#
    }
    let pattern = "{\"Version\": 1, \"Pattern\": [\n\(events.joined(separator: ",\n"))]}"
    try manifest.write(toFile: folder + "/pack.json", atomically: true, encoding: .utf8)
    try pattern.write(toFile: folder + "/boom.ahap", atomically: true, encoding: .utf8)
    let (catalog, _) = try PackLoader(rate: 48_000).load(PackFolders(named: [folder]), active: nil)
    let problems = try #require(catalog.packs.first).problems
    #expect(problems.count == 101)
    #expect(problems[..<100].map { $0.where.line } == (2..<102).map { $0 })
    #expect(problems[100].description.contains("30 more of its sound files are not heard; mend those that are listed"))
  }
}
