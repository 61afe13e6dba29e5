// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import FoundationEssentials
import GamePacks
import Glibc
import SoundFiles
import Synchronization
import Testing

@testable import Host

/// Control frees no pack: what a manifest says may be a hundred thousand things.
@Suite struct FreedReadingTests {
  @Test(.timeLimit(.minutes(1)))
  func aReadingThatNobodyUsesIsFreedWholeByTheThreadThatReads() throws {
    let rig = try HostRig()
    var bank = SoundBank(rate: 48_000)
    weak var reading: PackGeneration?
    do {
      let loaded = try PackLoader(rate: 48_000).load(PackFolders(named: [rig.directory]), active: nil)
      (bank, reading) = (loaded.bank, loaded.catalog.generations.first)
    }
    bank.retire(pack: try #require(reading?.name))
    let event = rt_waiter_event()
    defer { close(event) }
    let loader = LoaderThread(control: event)
    var unused = bank.takeUnused()
    #expect(unused.count == 1)
    loader.free(&unused)
    // Nobody but that thread holds it, which has not begun.
    #expect(unused.isEmpty && bank.earlierCount == 0)
    #expect(reading != nil)
    try loader.start()
    loader.free(&unused)
    while reading != nil { sched_yield() }
    loader.stop()
  }

  /// The loader's thread may come late to letting go of what it read.
  @Test func aReadingThatTheLoaderStillHoldsIsPlayedByNobody() throws {
    let rig = try HostRig()
    let loaded = try #require(PackLoader(rate: 48_000).read(rig.directory).loaded)
    var bank = SoundBank(rate: 48_000)
    do {
      let catalog = Catalog(packs: [loaded.pack])
      bank.keep(loaded.sounds, of: try #require(catalog.generations.first))
      bank.retire(pack: loaded.pack.manifest.name)
      #expect(bank.takeUnused().isEmpty && bank.earlierCount == 1)
      withExtendedLifetime(catalog) {}
    }
    #expect(bank.takeUnused().count == 1 && bank.earlierCount == 0)
    withExtendedLifetime(loaded) {}
  }

  /// It may have the room that the next folder takes.
  @Test(.timeLimit(.minutes(1)))
  func whatNobodyUsesIsFreedBeforeTheNextFolderIsRead() throws {
    let rig = try HostRig()
    let event = rt_waiter_event()
    defer { close(event) }
    let loader = LoaderThread(control: event)
    let room = SoundRoom(most: SoundRoom.ofAllPacks)
    var bank = SoundBank(rate: 48_000)
    do {
      bank = try PackLoader(rate: 48_000, soundRoom: room).load(PackFolders(named: [rig.directory]), active: nil).bank
    }
    bank.retire(pack: "game")
    var unused = bank.takeUnused()
    #expect(unused.count == 1 && room.takenBytes > 0)
    loader.free(&unused)
    let seen = Mutex<[Int]>([])
    let directory = rig.directory
    loader.begin("/a", at: 0) { _, _ in
      seen.withLock { $0.append(room.takenBytes) }
      return PackLoader(rate: 48_000, soundRoom: room).read(directory)
    }
    try loader.start()
    while loader.takeDone() == nil { sched_yield() }
    #expect(room.takenBytes > 0)
    // What was read of that folder is not taken.
    loader.letGo()
    loader.begin("/b", at: 0) { folder, _ in
      seen.withLock { $0.append(room.takenBytes) }
      return FolderReading(path: folder, problems: [], warnings: [])
    }
    while loader.takeDone() == nil { sched_yield() }
    loader.stop()
    #expect(seen.withLock { $0 } == [0, 0])
  }

  @Test func ofAPackThatIsLeftOutADaemonKeepsNoMoreThanItsName() throws {
    let rig = try HostRig()
    let faulty = #"{"name": "game", "title": "Game", "version": "1", "sounds": {"a": {"file": "a.wav", "gain": -1}}}"#
    try Data(faulty.utf8).write(to: URL(filePath: rig.directory + "/pack.json"))
    let folders = PackFolders(named: [rig.directory])
    let kept = try PackLoader(rate: 48_000).load(folders, active: nil).catalog.leftOut
    #expect(kept.map(\.name) == ["game"] && kept.allSatisfy { $0.pack == nil })
    // Who only looks is told all of it.
    #expect(PackLoader(rate: 48_000).catalog(of: folders).leftOut.first?.pack?.manifest.name == "game")
  }
}
