// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import GamePacks
import Rhythm
import Testing
import Timing

/// The pack that comes with the project, against what is known of its game.
@Suite struct StarlightSyncTests {
  private func bytes(_ file: String) throws -> [UInt8] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return Array(try Data(contentsOf: root.appending(path: "Patterns/starlight-sync/\(file)")))
  }

  private func pack() throws -> PackManifest { try PackManifest.parse(bytes("pack.json"), path: "pack.json") }

  @Test func thePackHasItsTracksSoundsPatternsAndCues() throws {
    let pack = try pack()
    #expect(pack.name == "starlight-sync")
    #expect(Set(pack.tracks.keys) == ["main", "finale"])
    #expect(pack.tracks.values.allSatisfy { $0.bpm == 85 && $0.loop == .whole && $0.firstBeat == .zero })
    #expect(Set(pack.sounds.keys) == ["sfx_click", "sfx_lock", "sfx_error", "sfx_whoosh", "sfx_power"])
    #expect(Set(pack.patterns.keys) == ["heartbeat", "capacitor_charge", "thud"])
    #expect(pack.cues["segment-lock"] != nil)
    #expect(pack.settings.crossfade == .milliseconds(500))
    #expect(pack.settings.fadeCurve == .equalPower)
  }

  @Test func firewallIsPlayedByTheRulesOfTheGame() throws {
    let chapter = try pack().chapter(named: "firewall")
    #expect(chapter.track == "main")
    #expect(chapter.lanes == ["left", "right", "top"])
    #expect(chapter.rules.window == 150_000)
    #expect(chapter.rules.assist == RhythmRules.Assist(misses: 5, window: 300_000))
    #expect(chapter.rules.grace == 50_000)
    #expect(chapter.rules.spawnLead == 2_000_000)
    #expect(chapter.rules.length == 45_000_000)
    #expect(chapter.beats == .file("firewall.beats.json"))
  }

  @Test func firewallHasThirtyTwoBeatsOnEverySecondBeatOfTheTrack() throws {
    let chapter = try pack().chapter(named: "firewall")
    let file = try BeatMapFile.parse(bytes("firewall.beats.json"), path: "firewall.beats.json")
    let map = try chapter.beatMap(from: file)
    #expect(map.beats.count == 32)
    #expect(map.beats.first?.at == 706_000)
    #expect(map.beats.last?.at == 44_471_000)
    // A step is 120 / 85 s, 1.4118 s to four places; 31 times the rounded figure would end 0.8 ms later.
    #expect(abs((map.beats[31].at - map.beats[0].at) / 31 - 1_411_800) < 50)
    for (n, beat) in map.beats.enumerated() {
      #expect(beat.lane == n % 3)
      // Beat 2n + 1 of 85 a minute is at (2n + 1) * 60 / 85 s = (2n + 1) * 12000 / 17 ms, written to the millisecond.
      let milliseconds = (Double(2 * n + 1) * 12_000 / 17).rounded()
      #expect(beat.at == Int64(milliseconds) * 1_000)
    }
  }

  @Test func everyAudioFileIsOneThatTheScriptRenders() throws {
    let script = String(decoding: try bytes("render-audio.py"), as: UTF8.self)
    let pack = try pack()
    for file in pack.tracks.values.map(\.file) + pack.sounds.values.map(\.file) {
      #expect(script.contains("\"\(file)\""), "\(file)")
    }
  }
}
