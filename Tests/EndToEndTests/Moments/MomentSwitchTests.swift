// SPDX-License-Identifier: Apache-2.0

import Moments
import StarlightClient
import Testing
import Wire

/// Both packs while the player's switches are off.
@Suite struct MomentSwitchTests {
  @Test func starlightSyncsMusicRunsOnUnheardWhileItIsSwitchedOff() throws {
    try checkSwitch("starlight-sync", "audio_bgm_main", holds: false)
  }

  @Test func freefallsMusicStandsWhileItIsSwitchedOffAndGoesOnInPlace() throws {
    try checkSwitch("freefall", "world1-track-a", holds: true)
  }

  /// Music that is off from half a second to one and a half after its beginning.
  private func checkSwitch(_ pack: String, _ track: String, holds: Bool) throws {
    let stage = try MomentStage(MomentTable.read(pack))
    let zero = stage.nextBeginning
    _ = try stage.connection.call(MusicPlay.self, MusicPlay.Params(track: track, atUs: zero, crossfadeUs: 0))
    try stage.step(to: zero + 500_000)
    _ = try stage.connection.call(SettingsSet.self, SettingsSet.Params(music: false))
    try stage.step(to: zero + 1_500_000)
    let off = try stage.connection.call(MusicStatus.self, Empty())
    _ = try stage.connection.call(SettingsSet.self, SettingsSet.Params(music: true))
    try stage.step(to: zero + 2_500_000)
    let on = try stage.connection.call(MusicStatus.self, Empty())
    let (left, _, _) = try stage.end()
    let marker = stage.probes.marker(track)
    func heard(_ from: Double, _ to: Double) -> ArraySlice<Float> {
      let first = frame(Double(zero - stage.zero) / 1_000_000)
      return left[first + frame(from)..<first + frame(to)]
    }
    func isHeard(_ from: Double, _ to: Double, place: Int) -> Bool {
      zip(heard(from, to), marker[place...]).allSatisfy { abs($0 - $1) <= 3e-4 }
    }
    #expect(isHeard(0, 0.5, place: 0))
    // A ramp of 20 ms, at the soonest instant that can be promised.
    #expect(heard(0.56, 1.5).allSatisfy { $0 == 0 })
    #expect(off.state == (holds ? .paused : .playing))
    #expect(on.state == .playing)
    let (held, gone) = (try #require(off.positionUs), try #require(on.positionUs))
    #expect(holds ? (500_000...560_000).contains(held) : held == 1_500_000)
    // What was told is what was heard: the place at 1.6 s, to the microsecond that it is rounded to.
    let place = frame(Double(gone - (on.atUs - zero - 1_600_000)) / 1_000_000)
    #expect(holds ? place > frame(Double(held) / 1_000_000) && place < frame(0.66) : place == frame(1.6))
    #expect((place - 1...place + 1).contains { isHeard(1.6, 2.4, place: $0) })
  }

  /// Its music is off from the middle of a cross-fade of two seconds on, for a second: what follows is what would have been.
  @Test func freefallsCrossFadeStandsWhileItsMusicIsSwitchedOff() throws {
    let (unswitched, _) = try crossFade(switchedOff: false)
    let (heard, stood) = try crossFade(switchedOff: true)
    #expect((frame(0.94)...frame(1)).contains(stood))
    // Off at two seconds and on at three, as soon as can be, in 20 ms.
    #expect(heard[..<frame(2)] == unswitched[..<frame(2)])
    #expect(heard[frame(2.06)..<frame(3)].allSatisfy { $0 == 0 })
    let difference = (frame(3.1)..<frame(5)).first { abs(heard[$0] - unswitched[$0 - stood]) > 1e-6 }
    #expect(difference == nil)
  }

  /// What is heard from a track's beginning on, with another that takes over from the first second to the third; and how many
  /// frames the music stood.
  private func crossFade(switchedOff: Bool) throws -> (heard: [Float], stood: Int) {
    let stage = try MomentStage(MomentTable.read("freefall"))
    let zero = stage.nextBeginning
    let (first, second) = ("world1-track-a", "world1-track-b")
    _ = try stage.connection.call(MusicPlay.self, MusicPlay.Params(track: first, atUs: zero, crossfadeUs: 0))
    _ = try stage.connection.call(
      MusicPlay.self, MusicPlay.Params(track: second, atUs: zero + us(1), crossfadeUs: us(2)))
    try stage.step(to: zero + us(2))
    if switchedOff { _ = try stage.connection.call(SettingsSet.self, SettingsSet.Params(music: false)) }
    try stage.step(to: zero + us(3))
    let off = try stage.connection.call(MusicStatus.self, Empty())
    if switchedOff {
      #expect(off.state == .paused && off.pausedBy == [.switch])
      #expect([off.track] + off.fading == ["freefall:\(second)", "freefall:\(first)"])
      _ = try stage.connection.call(SettingsSet.self, SettingsSet.Params(music: true))
    }
    try stage.step(to: zero + us(3.5))
    let on = try stage.connection.call(MusicStatus.self, Empty())
    try stage.step(to: zero + us(5))
    let (left, _, _) = try stage.end()
    let stood = on.atUs - zero - us(1) - (try #require(on.positionUs))
    let begins = frame(Double(zero - stage.zero) / 1_000_000)
    return (Array(left[begins..<begins + frame(5)]), frame(Double(stood) / 1_000_000))
  }

  /// Five flips, a third of a second apart; the switch is off from before the third to behind what would be the beginning of
  /// the fourth, and goes off while the first is heard, where it lasts as long.
  @Test(arguments: [true, false])
  func freefallsEffectsOrTouchAreSkippedByTheirSwitchAtTheirOwnInstant(isSound: Bool) throws {
    let table = try MomentTable.read("freefall")
    let stage = try MomentStage(table)
    let zero = stage.nextBeginning
    let flips = [0.2, 0.5, 0.8, 1.1, 1.4]
    var fired: [Int64?] = []
    func fire(_ at: Double) throws {
      let told = try stage.connection.call(CueFire.self, CueFire.Params(cue: "flip", atUs: zero + us(at)))
      fired.append(told.id)
    }
    for at in flips.prefix(3) { try fire(at) }
    try stage.step(to: zero + us(0.52))
    _ = try stage.connection.call(
      SettingsSet.self, isSound ? SettingsSet.Params(sound: false) : SettingsSet.Params(haptics: false))
    // These are asked for while it is off; the last of them comes when it is on again.
    for at in flips.suffix(2) { try fire(at) }
    try stage.step(to: zero + us(1.13))
    _ = try stage.connection.call(
      SettingsSet.self, isSound ? SettingsSet.Params(sound: true) : SettingsSet.Params(haptics: true))
    try stage.step(to: zero + us(2))
    let (left, _, felt) = try stage.end()
    let on = [0.2, 0.5, 1.4]
    var expected = HeardSamples(table, stage.probes, seconds: 2)
    for at in isSound ? on : flips { expected.add(sound: "flip", at: frame(at)) }
    let first = frame(Double(zero - stage.zero) / 1_000_000)
    let difference = expected.firstDifference(from: left[first..<first + expected.samples.count])
    #expect(difference == nil)
    var levels = FeltLevels()
    let shape = try #require(table.patterns["medium"])
    for at in isSound ? flips : on { levels.add(shape, at: us(at)) }
    let lines = felt.filter { $0.us >= zero - stage.zero }.map {
      FeltLevel(us: $0.us - (zero - stage.zero), intensity: $0.intensity, sharpness: $0.sharpness)
    }
    #expect(levels.faults(in: lines, until: us(2)) == [])
  }
}
