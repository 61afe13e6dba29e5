// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Testing
import Timing
import Wire

@testable import Host

/// Packs that were found and are at fault as a whole: what becomes of them once they are mended.
@Suite struct LeftOutPackTests {
  private static let faulty = HostRig.manifest.replacing("title", with: "titel")

  private func write(_ text: String, _ path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  private func packs(_ rig: HostRig, _ params: String = "{}") throws -> [PackReading] {
    let reply = rig.ask("pack.reload", params)
    guard case .reply(_, .success(let bytes))? = ServerMessage(line: Array(reply.utf8)) else {
      Issue.record("\(reply)")
      return []
    }
    return try decodeJSON(PackReload.Result.self, from: bytes).packs
  }

  @Test(arguments: [faulty, "{", "", #"{"name": "gam"}"#]) func onceItIsMendedItComesInWithTheOthers(text: String)
    throws
  {
    let rig = try HostRig(manifest: text)
    #expect(rig.ask("pack.list").contains(#""packs":[]"#))
    let told = rig.host.status().problems
    #expect(!told.isEmpty)
    // Nothing was mended: it is told as before, and not twice.
    let again = try packs(rig)
    #expect(again.map(\.path) == [rig.directory] && again.allSatisfy { !$0.taken })
    #expect(rig.host.status().problems == told)
    // Another fault is told in place of the first.
    try write(HostRig.manifest.replacing("version", with: "versoin"), rig.directory + "/pack.json")
    _ = try packs(rig)
    let other = rig.host.status().problems
    #expect(other.count == 1 && other[0].description.contains("did you mean version?"), "\(other)")
    #expect(other[0].description.hasSuffix("until then the whole pack is left out"))
    try write(HostRig.manifest, rig.directory + "/pack.json")
    let mended = try packs(rig)
    #expect(mended.map(\.pack) == ["game"] && mended.allSatisfy { $0.taken && $0.problems.isEmpty })
    #expect(rig.host.status().problems.isEmpty)
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains("scheduledUs"))
    #expect(try packs(rig).map(\.path) == [rig.directory])
  }

  @Test func itIsReadAgainByTheNameThatItGivesItself() throws {
    let rig = try HostRig(manifest: Self.faulty)
    #expect(try packs(rig, #"{"pack":"game"}"#).map(\.taken) == [false])
    #expect(rig.ask("pack.unload", #"{"pack":"game"}"#).contains("unknownName"))
    try write(HostRig.manifest, rig.directory + "/pack.json")
    #expect(try packs(rig, #"{"pack":"game"}"#).map(\.taken) == [true])
  }

  @Test func aHostThatWatchesSeesItMended() throws {
    let rig = try HostRig(manifest: Self.faulty)
    var live = HostConfiguration()
    (live.audioDevice, live.haptics, live.packFolders, live.watchesPacks) = ("none", "none", [rig.directory], true)
    let other = try HostRig(live)
    defer { other.host.stop() }
    #expect(other.ask("pack.list").contains(#""packs":[]"#))
    try write(HostRig.manifest, rig.directory + "/pack.json")
    while !other.ask("pack.list").contains("game:sfx_click") {
      _ = other.host.beginRun()
      let due = other.host.run()
      var woken = other.host.wakeDescriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let wait = due.map { max(0, ($0 - other.host.now).microseconds / 1_000 + 1) } ?? 60_000
      _ = poll(&woken, nfds_t(woken.count), Int32(min(wait, 60_000)))
    }
  }

  /// Folders `a` and `b` with packs of the same name.
  private func packsOfOneName() throws -> HostRig {
    let files = try HostRig()
    for folder in ["a", "b"] {
      mkdir(files.directory + "/" + folder, 0o755)
      try write(
        #"{"name": "game", "title": "Of \#(folder)", "version": "1"}"#, files.directory + "/\(folder)/pack.json")
    }
    unlink(files.directory + "/pack.json")
    return files
  }

  /// A stepped host over folders below the rig's own, which is one of packs then.
  private func host(named: [String], usual: [String] = []) throws -> HostRig {
    var configuration = HostConfiguration()
    (configuration.clock, configuration.owner) = (.stepped, 0)
    (configuration.packFolders, configuration.usualPackFolders) = (named, usual)
    return try HostRig(configuration)
  }

  private func manifest(_ name: String) -> String {
    HostRig.manifest.replacing(#""name": "game""#, with: #""name": "\#(name)""#)
  }

  /// Bare names are of it, as they would have been.
  @Test func itIsActiveWhereAnotherWasInItsPlace() throws {
    let files = try HostRig()
    for (name, text) in [("mine", manifest("mine").replacing("title", with: "titel")), ("usual", manifest("usual"))] {
      mkdir(files.directory + "/" + name, 0o755)
      try write(text, files.directory + "/\(name)/pack.json")
      for file in ["main.wav", "finale.wav", "sfx_click.wav"] {
        link(files.directory + "/" + file, files.directory + "/\(name)/\(file)")
      }
    }
    let rig = try host(named: [files.directory + "/mine"], usual: [files.directory + "/usual"])
    #expect(rig.ask("pack.list").contains(#""active":"usual""#))
    #expect(rig.host.status().problems.contains { $0.tellsOfStandIn })
    _ = try packs(rig)
    #expect(rig.ask("pack.list").contains(#""active":"usual""#))
    try write(manifest("mine"), files.directory + "/mine/pack.json")
    _ = try packs(rig)
    #expect(rig.ask("pack.list").contains(#""active":"mine""#))
    #expect(rig.host.status().problems.isEmpty, "\(rig.host.status().problems)")
  }

  @Test func oneWhoseNameAnotherHasWaitsForAName() throws {
    let files = try packsOfOneName()
    let rig = try host(named: [files.directory])
    let told = rig.host.status().problems
    #expect(told.map(\.kind) == [.nameTaken])
    #expect(try packs(rig).map(\.taken) == [true, false])
    #expect(rig.host.status().problems == told)
    #expect(rig.ask("pack.list").contains("Of a") && !rig.ask("pack.list").contains("Of b"))
    try write(#"{"name": "other", "title": "Of b", "version": "1"}"#, files.directory + "/b/pack.json")
    #expect(try packs(rig).map(\.taken) == [true, true])
    #expect(rig.ask("pack.list").contains("Of a") && rig.ask("pack.list").contains("Of b"))
    #expect(rig.host.status().problems.isEmpty)
  }

  /// Who names a folder means it.
  @Test func oneWhoseNameAnotherHasTakesItsPlaceByHand() throws {
    let files = try packsOfOneName()
    let rig = try host(named: [files.directory])
    #expect(rig.ask("pack.load", #"{"path":"\#(files.directory)/b"}"#).contains(#""taken":true"#))
    #expect(rig.ask("pack.list").contains("Of b") && !rig.ask("pack.list").contains("Of a"))
  }
}
