// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct SwitchTests {
  @Test func theSwitchOfTheMusicAloneMutesItsBus() throws {
    var fixture = try EngineFixture()
    let change = SettingsSet.Params(music: false, sound: false, haptics: false)
    let settings = try fixture.engine.changeSettings(change, by: .daemon)
    #expect(settings == Settings(music: false, sound: false, haptics: false))
    var gains: [Bus: Float] = [:]
    for case .command(.busGain(let bus, let gain, let at, _)) in fixture.engine.takeActions().audio {
      gains[bus] = gain
      #expect(at == fixture.output.reachableFrame)
    }
    #expect(gains == [.music: 0, .sound: 1, .voice: 1, .haptic: 1])
  }

  @Test func aFloodOfVolumesLeavesRoomAndTheLastHolds() throws {
    var fixture = try EngineFixture()
    for number in 1...500 {
      _ = try fixture.engine.changeSettings(SettingsSet.Params(musicVolume: Double(number) / 1_000), by: .daemon)
    }
    // A telling is of all four buses.
    #expect(fixture.engine.takeActions().audio.count == 4 * BusPacing.mostForAFrame)
    let deadline = try #require(fixture.engine.nextDeadline)
    #expect(deadline <= fixture.output.now + BusPacing.patience)
    let frame = fixture.output.reachableFrame
    var told: [(frame: Int64, gain: Float)] = []
    for case .command(.busGain(.music, let gain, let at, _)) in fixture.run(to: 1_100_000).audio {
      told.append((at, gain))
    }
    #expect(told.map(\.frame) == [frame + 480] && told.map(\.gain) == [0.125])
    #expect(fixture.engine.nextDeadline == nil)
  }

  @Test func volumesAreTaperedAndChecked() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.changeSettings(SettingsSet.Params(musicVolume: 0.5), by: .daemon)
    var music: Float?
    for case .command(.busGain(.music, let gain, _, _)) in fixture.engine.takeActions().audio { music = gain }
    #expect(music == 0.125)
    #expect(throws: RPCError.self) {
      try fixture.engine.changeSettings(SettingsSet.Params(soundVolume: 1.1), by: .daemon)
    }
    #expect(fixture.engine.currentSettings.musicVolume == 0.5)
  }

  @Test func theMasterVolumeIsOnTopOfTheOthers() throws {
    var fixture = try EngineFixture()
    let change = SettingsSet.Params(
      sound: true, masterVolume: 0.5, musicVolume: 0.5, soundVolume: 1, voiceVolume: 0, hapticsVolume: 0.25)
    _ = try fixture.engine.changeSettings(change, by: .daemon)
    let actions = fixture.engine.takeActions()
    var gains: [Bus: Float] = [:]
    for case .command(.busGain(let bus, let gain, _, _)) in actions.audio { gains[bus] = gain }
    #expect(gains == [.music: 0.015625, .sound: 0.125, .voice: 0, .haptic: 0.125])
    let felt = actions.haptics.compactMap { if case .volume(let volume) = $0 { volume } else { nil } }
    #expect(felt == [0.25])
  }

  @Test func aPackThatPausesItsMusicGoesOnWhereItWas() throws {
    var fixture = try EngineFixture(muted: "pause")
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: .daemon)
    _ = fixture.run(to: 1_500_000)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(music: false), by: .daemon)
    _ = fixture.run(to: 1_520_000)
    #expect(fixture.engine.musicStatus().state == .paused)
    _ = fixture.run(to: 2_500_000)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(music: true), by: .daemon)
    _ = fixture.run(to: 2_600_000)
    let status = fixture.engine.musicStatus()
    #expect(status.state == .playing)
    // Heard from 1.010 s to 20 ms after 1.510 s, the first instant the switch could be heard, and again from 2.510 s.
    #expect(status.positionUs == 610_000)
  }

  @Test func duringAChapterMusicIsMutedNotPaused() throws {
    var fixture = try EngineFixture(muted: "pause")
    _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    _ = fixture.run(to: 2_500_000)
    _ = try fixture.engine.changeSettings(SettingsSet.Params(music: false), by: .daemon)
    #expect(fixture.engine.musicStatus().state == .playing)
  }
}

@Suite struct HapticPlayerTests {
  @Test func rateAndGainOutOfRangeAreRefused() throws {
    var fixture = try EngineFixture()
    for params in [
      HapticsPlay.Params(pattern: "thud", gain: 1.5), HapticsPlay.Params(pattern: "thud", rate: 0),
      HapticsPlay.Params(pattern: "thud", keepAfterDisconnectUs: 30_000_001), HapticsPlay.Params(),
      HapticsPlay.Params(ahap: .object(["Pattern": .integer(3)])),
    ] {
      #expect(throws: RPCError.self) { try fixture.engine.playHaptics(params, by: .daemon) }
    }
  }
}
