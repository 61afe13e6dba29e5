// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Timing
import Wire

@testable import Engine
@testable import Host
@testable import SoundFiles

/// Many packs that are read again in one round: only what plays or is planned keeps what was read before.
@Suite struct ReloadedTogetherTests {
  /// A host of so many packs, named p00, p01, and so on, each with a sound.
  private func host(of count: Int, live: Bool) throws -> HostRig {
    let rig = try HostRig { directory in
      for number in 0..<count {
        let folder = "\(directory)/packs/\(name(number))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let manifest = """
          {"name": "\(name(number))", "title": "P", "version": "1", "sounds": {"bell": {"file": "bell.wav"}}}
          """
        try Data(manifest.utf8).write(to: URL(filePath: folder + "/pack.json"))
        try Data(HostRig.wave(seconds: 0.05)).write(to: URL(filePath: folder + "/bell.wav"))
      }
    } configure: { configuration in
      configuration.packFolders = configuration.packFolders.map { $0 + "/packs" }
      if live { (configuration.clock, configuration.audioDevice, configuration.haptics) = (.live, "none", "none") }
    }
    #expect(rig.host.bank.earlierCount == 0 && rig.host.engine.catalog.packs.count == count)
    return rig
  }

  private func name(_ number: Int) -> String { number < 10 ? "p0\(number)" : "p\(number)" }

  private func reloadAll(_ rig: HostRig) throws -> [PackReading] {
    let errand = Errand()
    let reply = rig.ask("pack.reload", errand: errand)
    if !errand.isLeft { return try HostRig.result(reply, PackReload.Result.self).packs }
    rig.run { !errand.isLeft }
    return try HostRig.result(rig.ask("pack.reload", errand: errand), PackReload.Result.self).packs
  }

  private func refusals(_ readings: [PackReading]) -> [String] {
    readings.filter { !$0.taken }.map { "\($0.pack ?? $0.path): \($0.problems)" }
  }

  @Test(.timeLimit(.minutes(2)), arguments: [18, 40], [false, true])
  func whereNothingPlaysAllAreTakenAgainAndAgain(count: Int, live: Bool) throws {
    let rig = try host(of: count, live: live)
    defer { rig.host.stop() }
    for round in 0..<3 {
      let readings = try reloadAll(rig)
      #expect(readings.count == count && refusals(readings) == [], "round \(round)")
    }
  }

  @Test func whatPlaysOrIsPlannedIsCountedAndNothingElse() throws {
    let rig = try host(of: 40, live: false)
    let most = GenerationShares.most
    let later = rig.host.now.microseconds + 3_600_000_000
    // Of one more than there is room for, those that are read last.
    var ids: [Int64?] = []
    for number in (39 - most)...39 {
      let at = number % 2 == 0 ? #","atUs":\#(later)"# : ""
      let played: SoundPlay.Result = try rig.result(
        "sound.play", #"{"sound":"\#(name(number)):bell","loop":true\#(at)}"#)
      ids.append(played.id)
    }
    rig.step(microseconds: 200_000)
    // All are of one client: the oldest of one more than there is room for gives way, and then nothing more.
    rig.host.topics = [.sound]
    for ended in [[ids[0]], []] {
      #expect(refusals(try reloadAll(rig)) == [])
      rig.step(microseconds: 200_000)
      #expect(rig.host.bank.earlierCount == most)
      let told = try rig.told(SoundFinished.self).map(\.payload)
      #expect(told.map(\.id) == ended && told.allSatisfy { $0.reason == .outdated })
    }
    _ = rig.ask("sound.stop")
    rig.step(microseconds: 500_000)
    #expect(rig.host.bank.earlierCount == 0)
    #expect(refusals(try reloadAll(rig)) == [])
  }

  /// It is stopped, and the mixer is at it still.
  @Test func whatFadesKeepsItsReading() throws {
    let rig = try host(of: 1, live: false)
    _ = rig.ask("sound.play", #"{"sound":"p00:bell","loop":true}"#)
    rig.step(microseconds: 200_000)
    _ = try reloadAll(rig)
    _ = rig.ask("sound.stop", #"{"fadeUs":2000000}"#)
    rig.step(microseconds: 500_000)
    #expect(rig.host.bank.earlierCount == 1 && rig.host.status().audio.activeVoices == 1)
    rig.step(microseconds: 2_000_000)
    #expect(rig.host.bank.earlierCount == 0)
  }

  /// What is loaded next is read when what was taken out has given back its room, however soon it is asked for.
  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func whatIsTakenOutGivesItsRoomToWhatIsLoadedNext(live: Bool) throws {
    let rig = try host(of: 5, live: live)
    defer { rig.host.stop() }
    let room = rig.host.bank.soundRoom
    #expect(room.take(room.most - room.takenBytes))
    let folder = "\(rig.directory)/packs/p00"
    for number in 0..<4 { #expect(rig.ask("pack.unload", #"{"pack":"\#(name(number))"}"#).contains(#""result""#)) }
    let errand = Errand()
    var reply = rig.ask("pack.load", #"{"path":"\#(folder)"}"#, errand: errand)
    if errand.isLeft {
      rig.run { !errand.isLeft }
      reply = rig.ask("pack.load", #"{"path":"\#(folder)"}"#, errand: errand)
    }
    let reading = try HostRig.result(reply, PackReading.self)
    #expect(reading.taken && reading.problems.isEmpty, "\(reading.problems)")
  }
}
