// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import Testing
import Wire

@testable import Host

/// Who asks for few packs does not wait for all of somebody else's.
@Suite(.timeLimit(.minutes(2))) struct ReadingTurnsTests {
  /// A live host of so many packs, named p00, p01, and so on.
  private func host(of count: Int) throws -> HostRig {
    try HostRig { directory in
      for number in 0..<count {
        let folder = "\(directory)/packs/p\(number / 10)\(number % 10)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let manifest = #"{"name": "p\#(number / 10)\#(number % 10)", "title": "P", "version": "1"}"#
        try Data(manifest.utf8).write(to: URL(filePath: folder + "/pack.json"))
      }
    } configure: { configuration in
      configuration.packFolders = configuration.packFolders.map { $0 + "/packs" }
      (configuration.clock, configuration.audioDevice, configuration.haptics) = (.live, "none", "none")
    }
  }

  /// What was told of packs, as "change pack".
  private func told(_ rig: HostRig) throws -> [String] {
    try rig.told(PackLoading.self).map { "\($0.payload.change.rawValue) \($0.payload.pack ?? "")" }
  }

  @Test func aReadingWaitsForOneOfEachOtherClient() throws {
    let rig = try host(of: 20)
    defer { rig.host.stop() }
    let (all, one, other) = (Errand(), Errand(), Errand())
    _ = rig.ask("pack.reload", client: 1, errand: all)
    _ = rig.ask("pack.reload", #"{"pack":"p19"}"#, client: 2, errand: one)
    _ = rig.ask("pack.reload", #"{"pack":"p18"}"#, client: 3, errand: other)
    rig.run { !one.isLeft && !other.isLeft }
    #expect(all.isLeft)
    let told = try told(rig)
    #expect(
      told.prefix(7) == [
        "reading p00", "taken p00", "reading p19", "taken p19", "reading p18", "taken p18", "reading p01",
      ], "\(told)")
  }

  @Test func whatAClientThatLeftAskedForIsReadAllTheSame() throws {
    let rig = try host(of: 5)
    defer { rig.host.stop() }
    let all = Errand()
    _ = rig.ask("pack.reload", client: 1, errand: all)
    rig.host.clientLeft(ClientID(rawValue: 1))
    var told: [String] = []
    try rig.run {
      told += try self.told(rig).filter { $0.hasPrefix("taken") }
      return told.count == 5
    }
    #expect(told == ["taken p00", "taken p01", "taken p02", "taken p03", "taken p04"])
    #expect(rig.host.reading.isEmpty && all.isLeft)
  }
}
