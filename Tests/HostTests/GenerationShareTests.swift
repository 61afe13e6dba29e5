// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Timing
import Wire

@testable import Engine
@testable import Host

/// Packs that are read anew while clients keep hold of what was read before: nobody keeps them from it, and whoever holds no more
/// than their share loses nothing.
@Suite struct GenerationShareTests {
  static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}, "finale": {"file": "finale.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "patterns": {"hum": {"file": "hum.ahap"}},
     "cues": {"hit": {"align": "soundFirst", "steps": [{"sound": "sfx_click", "loop": true},
                {"pattern": "hum", "loop": true}, {"at": 30, "music": {"play": "finale"}}]}},
     "chapters": {"one": {"title": "One", "track": "main", "length": 20, "beats": [{"at": 15}]}}}
    """
  static let hum = #"""
    {"Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 0.3,
      "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.7}]}}]}
    """#

  static func rig(journals: Bool = false) throws -> HostRig {
    let rig = try HostRig(
      manifest: manifest, change: { try Data(hum.utf8).write(to: URL(filePath: $0 + "/hum.ahap")) },
      configure: { configuration in
        let folder = configuration.packFolders[0]
        if !journals { return }
        (configuration.journalPath, configuration.hapticLogPath) = (folder + "/journal", folder + "/felt.ndjson")
      })
    try #require(rig.host.problems.isEmpty, "\(rig.host.problems)")
    rig.host.topics = Set(Topic.allCases)
    return rig
  }

  static let author: UInt64 = 1

  /// Reads the pack anew, for its author.
  private func reload(_ rig: HostRig) throws -> PackReading {
    let reply = rig.ask("pack.reload", client: Self.author)
    return try #require(try HostRig.result(reply, PackReload.Result.self).packs.first)
  }

  private func loop(_ rig: HostRig, _ client: UInt64, _ user: UInt32) throws -> Int64 {
    let reply = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true}"#, client: client, user: user)
    return try #require(try HostRig.result(reply, SoundPlay.Result.self).id)
  }

  @Test func nobodyKeepsAPackFromBeingReadAnew() throws {
    let rig = try Self.rig()
    let modest = try (0..<4).map { _ in
      defer { _ = try? reload(rig) }
      return try loop(rig, 3, 7)
    }
    var greedy: [Int64] = []
    for _ in 0..<40 {
      greedy.append(try loop(rig, 2, 7))
      rig.step(microseconds: 20_000)
      #expect(try reload(rig).taken)
    }
    rig.step(microseconds: 200_000)
    let ended = try rig.told(SoundFinished.self).map(\.payload)
    #expect(ended.map(\.id) == Array(greedy.prefix(28)) && ended.allSatisfy { $0.reason == .outdated })
    #expect(rig.host.bank.earlierCount == GenerationShares.most)
    #expect(modest.allSatisfy { rig.ask("sound.set", #"{"id":\#($0),"gain":0.5}"#, client: 3).contains("result") })
    for client in [2, 3] as [UInt64] { rig.host.clientLeft(.init(rawValue: client)) }
    rig.step(microseconds: 200_000)
    #expect(rig.host.bank.earlierCount == 0)
  }

  @Test func whatGivesWayFadesOver50MillisecondsAndIsToldSo() throws {
    let rig = try Self.rig()
    let first = try loop(rig, 2, 7)
    rig.step(microseconds: 100_000)
    for _ in 0..<GenerationShares.most {
      #expect(try reload(rig).taken)
      _ = try loop(rig, 2, 7)
      rig.step(microseconds: 20_000)
    }
    #expect(try rig.told(SoundFinished.self).isEmpty)
    let at = rig.host.now.microseconds
    #expect(try reload(rig).taken)
    rig.step(microseconds: 100_000)
    let told = try rig.told(SoundFinished.self)
    #expect(told.map(\.payload.id) == [first] && told.allSatisfy { $0.payload.reason == .outdated })
    // As long after now as anything is heard at the soonest.
    #expect(told.allSatisfy { (50_000...65_000).contains($0.tUs - at) }, "\(told) at \(at)")
  }

  /// One thing of each kind that can hold a reading, in the oldest of more than there is room for.
  enum Thing: String, CaseIterable {
    case sound, laterSound, soonSound, player, laterPlayer, pausedPlayer, laterMusic, cue, laterCue, tail
  }

  private func begin(_ thing: Thing, _ rig: HostRig) throws {
    let later = rig.host.now.microseconds + 3_600_000_000
    func ask(_ method: String, _ params: String) {
      let reply = rig.ask(method, params, client: 2, user: 7)
      #expect(reply.contains(#""result""#), "\(reply)")
    }
    switch thing {
    case .sound: ask("sound.play", #"{"sound":"sfx_click","loop":true}"#)
    case .laterSound: ask("sound.play", #"{"sound":"sfx_click","atUs":\#(later)}"#)
    case .soonSound: ask("sound.play", #"{"sound":"sfx_click","atUs":\#(rig.host.now.microseconds + 430_000)}"#)
    case .player: ask("haptics.play", #"{"pattern":"hum","loop":true}"#)
    case .laterPlayer: ask("haptics.play", #"{"pattern":"hum","atUs":\#(later)}"#)
    case .pausedPlayer:
      ask("haptics.play", #"{"pattern":"hum","loop":true}"#)
      rig.step(microseconds: 50_000)
      ask("haptics.pause", #"{"player":1}"#)
    case .laterMusic: ask("music.play", #"{"track":"main","atUs":\#(later)}"#)
    case .cue: ask("cue.fire", #"{"cue":"hit"}"#)
    case .laterCue: ask("cue.fire", #"{"cue":"hit","atUs":\#(later - 60_000_000)}"#)
    case .tail:
      ask("music.play", #"{"track":"main"}"#)
      rig.step(microseconds: 50_000)
      ask("music.stop", #"{"fadeUs":60000000}"#)
    }
  }

  @Test(arguments: Thing.allCases)
  func allOfAReadingEndsAndItIsNobodysThen(_ thing: Thing) throws {
    let rig = try Self.rig()
    try begin(thing, rig)
    rig.step(microseconds: 20_000)
    for _ in 0..<GenerationShares.most {
      #expect(try reload(rig).taken)
      _ = try loop(rig, 2, 7)
      rig.step(microseconds: 20_000)
    }
    let oldest = try #require(rig.host.bank.keptGenerations.map(\.number).min())
    #expect(oldest == 1)
    _ = rig.host.takeNotifications()
    #expect(try reload(rig).taken)
    rig.step(microseconds: 150_000)
    #expect(rig.host.bank.keptGenerations.map(\.number).min() == 2)
    #expect(rig.host.bank.earlierCount == GenerationShares.most, "\(rig.host.holdings)")
    let told = rig.host.takeNotifications().compactMap { ServerMessage(line: $0.line(seq: 1)) }.compactMap {
      if case .notification(let name, _, _, let params) = $0,
        String(decoding: params, as: UTF8.self).contains("outdated")
      {
        return name
      }
      return nil
    }
    #expect(told.sorted() == thing.told)
    for client in [2, 3] as [UInt64] { rig.host.clientLeft(.init(rawValue: client)) }
    rig.step(microseconds: 200_000)
    #expect(rig.host.holdings.filter { $0.value != 0 }.isEmpty, "\(rig.host.holdings)")
  }

  /// The track that plays and the chapter are everybody's.
  @Test(arguments: [false, true])
  func theMusicAndAChapterPlayOn(isChapter: Bool) throws {
    let rig = try Self.rig()
    _ = rig.ask(
      isChapter ? "rhythm.start" : "music.play", isChapter ? #"{"chapter":"one"}"# : #"{"track":"main"}"#, client: 2,
      user: 7)
    for _ in 0..<30 {
      rig.step(microseconds: 20_000)
      #expect(try reload(rig).taken)
      _ = try loop(rig, 2, 7)
    }
    rig.step(microseconds: 3_000_000)
    #expect(rig.ask("music.status").contains(#""track":"game:main""#))
    #expect(rig.host.bank.keptGenerations.map(\.number).min() == 1)
    #expect(rig.ask("rhythm.status").contains(#""running":true"#) == isChapter)
  }

  /// Two users, four clients: each within their share.
  @Test func whereAllHoldTheirShareNoOtherIsTakenAndNothingEnds() throws {
    let rig = try Self.rig()
    for (client, user) in [(2, 7), (3, 7), (4, 7), (5, 8)] as [(UInt64, UInt32)] {
      for _ in 0..<GenerationShares.ofAClient {
        _ = try loop(rig, client, user)
        #expect(try reload(rig).taken)
        rig.step(microseconds: 20_000)
      }
    }
    // Nothing is of this reading, so nothing of it has to be kept.
    #expect(try reload(rig).taken)
    _ = try loop(rig, 6, 8)
    let refused = try reload(rig)
    #expect(!refused.taken && refused.problems.map(\.kind) == [.busy])
    #expect(rig.ask("pack.unload", #"{"pack":"game"}"#).contains("busy"))
    // What takes nobody's place is taken.
    let other = rig.directory + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try Data(#"{"name": "other", "title": "Other", "version": "1"}"#.utf8).write(
      to: URL(filePath: other + "/pack.json"))
    let loaded: PackReading = try rig.result("pack.load", #"{"path":"\#(other)"}"#)
    #expect(loaded.taken)
    rig.step(microseconds: 200_000)
    #expect(try rig.told(SoundFinished.self).isEmpty)
    // With one more a client is over its share.
    _ = try loop(rig, 5, 8)
    #expect(try reload(rig).taken)
    rig.step(microseconds: 200_000)
    #expect(try rig.told(SoundFinished.self).map(\.payload.id) == [13])
  }

  /// What is taken out while it plays is an earlier reading as well.
  @Test func whatIsTakenOutAndLoadedAgainIsCounted() throws {
    let rig = try Self.rig()
    for _ in 0..<40 {
      _ = try loop(rig, 2, 7)
      rig.step(microseconds: 20_000)
      #expect(rig.ask("pack.unload", #"{"pack":"game"}"#).contains(#""result""#))
      let loaded: PackReading = try rig.result("pack.load", #"{"path":"\#(rig.directory)"}"#)
      #expect(loaded.taken)
    }
    rig.step(microseconds: 200_000)
    #expect(rig.host.bank.earlierCount == GenerationShares.most)
  }

  @Test func whatGaveWayIsTheSameAgain() throws {
    let rig = try Self.rig(journals: true)
    for thing in Thing.allCases where thing != .pausedPlayer {
      try begin(thing, rig)
      rig.step(microseconds: 20_000)
      #expect(try reload(rig).taken)
    }
    for _ in 0..<25 {
      _ = try loop(rig, 2, 7)
      rig.step(microseconds: 20_000)
      #expect(try reload(rig).taken)
    }
    rig.step(microseconds: 1_000_000)
    #expect(try !rig.told(SoundFinished.self).isEmpty)
    rig.host.stop()
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: rig.directory + "/journal")))
    let outcome = try JournalReplay(bytes).run()
    #expect(outcome.isSame && outcome.end == .whole, "\(outcome)")
  }
}

extension GenerationShareTests.Thing {
  /// What is told to have ended for it. Of a player that never begins no reason is told, and of a tail, which makes room, nothing.
  fileprivate var told: [String] {
    switch self {
    case .sound, .laterSound, .soonSound: ["sound.finished"]
    case .player, .pausedPlayer: ["haptics.changed"]
    case .laterMusic: ["music.cancelled"]
    case .cue: ["cue.cancelled", "haptics.changed", "music.cancelled", "sound.finished"]
    case .laterCue: ["cue.cancelled", "music.cancelled", "sound.finished"]
    case .laterPlayer, .tail: []
    }
  }
}
