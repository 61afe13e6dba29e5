// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import StarlightClient
import Testing
import Wire

/// What both packs may cost, by the budgets of Starlight Sync: how long they take to load is measured (`Benchmarks/daemon`).
@Suite struct BudgetTests {
  @Test(arguments: ["starlight-sync", "freefall"]) func patternsAreBelowAMegabyteAndAPackBelowAHundred(_ pack: String)
    throws
  {
    let patterns = try RenderedPacks.bytes(pack, ".ahap")
    #expect(patterns > 0 && patterns < 1_000_000)
    #expect(try RenderedPacks.bytes(pack, "") < 100_000_000)
  }

  @Test func theRepositoryHasNoAudio() throws {
    let folder = Repository.path + "/Patterns"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
    let sizes = try files.map {
      try FileManager.default.attributesOfItem(atPath: folder + "/" + $0)[.size] as? Int ?? 0
    }
    #expect(!files.contains { $0.hasSuffix(".wav") })
    #expect(sizes.reduce(0, +) < 500_000)
  }

  @Test func whatIsDecodedIsBelow24MegabytesAndTheDaemonBelow300() throws {
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: RenderedPacks.path())
    let connection = try daemon.connect()
    let listed = try connection.listPacks()
    #expect(Set(listed.packs.map(\.name)).isSuperset(of: ["starlight-sync", "freefall"]))
    for pack in listed.packs {
      #expect(pack.problems.isEmpty && pack.tracks.allSatisfy(\.available) && pack.sounds.allSatisfy(\.available))
    }
    // All is in memory that ever is once every effect has been heard to its end, and one track over another.
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.sound, .music]))
    _ = try connection.call(MusicPlay.self, MusicPlay.Params(track: "starlight-sync:audio_bgm_main"))
    var sounding: Set<Int64> = []
    for sound in listed.packs.flatMap(\.sounds) {
      sounding.insert(try #require(try connection.call(SoundPlay.self, SoundPlay.Params(sound: sound.name)).id))
    }
    try wait(connection) { (finished: SoundFinished) in
      #expect(finished.reason == .ended, "\(finished)")
      sounding.remove(finished.id)
      return sounding.isEmpty
    }
    _ = try connection.call(MusicPlay.self, .init(track: "freefall:world1-track-a", crossfadeUs: 500_000))
    try wait(connection) { (changed: MusicChanged) in
      changed.change == .crossfaded && changed.track == "freefall:world1-track-a"
    }
    // The voice lasts longer than the fade.
    let voice = try connection.call(SoundPlay.self, .init(sound: "freefall:intermission-voice")).id
    try wait(connection) { (finished: SoundFinished) in finished.id == voice }
    let status = try connection.call(EngineStatus.self, Empty())
    #expect(status.problems.isEmpty)
    #expect(status.resources.peakResidentBytes < 300_000_000)
    // All else that a daemon needs, one without packs needs too.
    let empty = try makeTemporaryDirectory()
    defer { removeDirectory(empty) }
    let bare = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: empty)
    let needed = try bare.connect().call(EngineStatus.self, Empty()).resources.peakResidentBytes
    #expect(status.resources.peakResidentBytes - needed < 24_000_000)
  }

  /// Reads what is told until it is that; the test ends where nothing comes for 20 s.
  private func wait<Told: WireNotification>(
    _ connection: StarlightConnection, until isIt: (Told) -> Bool
  ) throws {
    while true {
      let told = try #require(try connection.nextNotification(timeoutUs: 20_000_000))
      if let payload = try told.decode(as: Told.self), isIt(payload) { return }
    }
  }
}
