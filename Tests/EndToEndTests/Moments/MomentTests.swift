// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import StarlightClient
import Testing
import Wire

/// Every moment of both games, as their tables have it: the right sound and the right pattern at the right frame and
/// microsecond, and nothing else.
@Suite struct MomentTests {
  @Test func everyMomentOfStarlightSyncIsHeardAndFeltAsItsTableHasIt() throws { try check("starlight-sync") }

  @Test func everyMomentOfFreefallIsHeardAndFeltAsItsTableHasIt() throws { try check("freefall") }

  private func check(_ pack: String) throws {
    let table = try MomentTable.read(pack)
    let stage = try MomentStage(table)
    #expect(try stage.problems() == [])
    // One alone, where a test of the tests asks for it.
    let only = ProcessInfo.processInfo.environment["STARLIGHT_MOMENT"]
    let moments = table.moments.filter { only == nil || $0.name == only }
    #expect(!moments.isEmpty)
    var zeros: [Int64] = []
    for moment in moments { zeros.append(try play(moment, on: stage)) }
    let (left, right, felt) = try stage.end()
    #expect(left == right)
    for (moment, zero) in zip(moments, zeros) {
      var expected = HeardSamples(table, stage.probes, seconds: moment.seconds)
      expected.add(moment.heard ?? [])
      let first = frame(Double(zero) / 1_000_000)
      let heard = left[first..<first + expected.samples.count]
      if let frame = expected.firstDifference(from: heard) {
        Issue.record(
          "\(moment.name): frame \(frame) is \(heard[first + frame]), not \(expected.samples[frame]): \(frame / 48) ms")
      }
      var levels = FeltLevels()
      levels.add(moment.felt ?? [], table)
      let end = us(moment.seconds)
      let lines = felt.filter { $0.us >= zero && $0.us < zero + end }.map {
        FeltLevel(us: $0.us - zero, intensity: $0.intensity, sharpness: $0.sharpness)
      }
      for fault in levels.faults(in: lines, until: end).prefix(4) { Issue.record("\(moment.name): \(fault)") }
    }
  }

  /// Does what the moment's front end does; the moment's zero, counted from frame 0.
  private func play(_ moment: MomentTable.Moment, on stage: MomentStage) throws -> Int64 {
    let zero = stage.nextSecond
    if let track = moment.before {
      _ = try stage.connection.call(
        MusicPlay.self, MusicPlay.Params(track: track, atUs: zero - 500_000, crossfadeUs: 0))
    }
    var fired: [String: Int64] = [:]
    for deed in moment.do {
      if let cue = deed.stop {
        try stage.step(to: zero + us(deed.at))
        _ = try stage.connection.call(CueStop.self, CueStop.Params(id: try #require(fired[cue])))
        continue
      }
      // As a front end does, at its time and not long before.
      try stage.step(to: zero + us(deed.asked ?? deed.at) - 200_000)
      if let cue = deed.cue {
        let told = try stage.connection.call(CueFire.self, CueFire.Params(cue: cue, atUs: zero + us(deed.at)))
        #expect(told.skipped == [], "\(moment.name)")
        #expect(told.scheduledUs == zero + us(deed.at), "\(moment.name)")
        fired[cue] = told.id
      }
      if let parameter = deed.parameter {
        let told = try stage.connection.call(
          ParameterSet.self,
          ParameterSet.Params(
            parameter: parameter, value: try #require(deed.value), atUs: zero + us(deed.at), overUs: deed.over.map(us)))
        #expect(told.scheduledUs == zero + us(deed.at), "\(moment.name)")
      }
      if let track = deed.play {
        _ = try stage.connection.call(MusicPlay.self, MusicPlay.Params(track: track, atUs: zero + us(deed.at)))
      }
    }
    try stage.step(to: zero + us(moment.seconds))
    try stage.clear()
    return zero - stage.zero
  }

  @Test func starlightSyncHoldsWhatItsTableNames() throws { try checkNames("starlight-sync") }

  @Test func freefallHoldsWhatItsTableNames() throws { try checkNames("freefall") }

  private func checkNames(_ pack: String) throws {
    // Ids, tempi and loops; and that a beat of each track is where its tempo has it.
    let table = try MomentTable.read(pack)
    let stage = try MomentStage(table)
    let listed = try #require(try stage.connection.call(PackList.self, Empty()).packs.first { $0.name == pack })
    #expect(Set(listed.tracks.map(\.name)) == Set(table.tracks.keys.map { "\(pack):\($0)" }))
    #expect(Set(listed.sounds.map(\.name)) == Set(table.sounds.map { "\(pack):\($0)" }))
    for track in listed.tracks {
      let facts = try #require(table.tracks[String(track.name.dropFirst(pack.count + 1))])
      #expect(track.bpm == facts.bpm, "\(track.name)")
      #expect(track.loops == facts.loops, "\(track.name)")
      #expect(track.stems == (facts.stems ?? [:]).keys.sorted(), "\(track.name)")
      #expect(track.available, "\(track.name)")
    }
    let parameters = try stage.connection.call(ParameterList.self, Empty()).parameters
    #expect(
      Dictionary(uniqueKeysWithValues: parameters.map { ($0.parameter, $0.default) })
        == Dictionary(uniqueKeysWithValues: (table.parameters ?? [:]).map { ("\(pack):\($0.key)", $0.value) }))
    for (name, facts) in table.tracks {
      let zero = stage.nextSecond
      _ = try stage.connection.call(MusicPlay.self, MusicPlay.Params(track: name, atUs: zero, crossfadeUs: 0))
      try stage.step(to: zero + 100_000)
      for (quantise, beats) in [(Quantise.beat, 1.0), (.bar, 4)] {
        let stop = try stage.connection.call(
          MusicPlay.self, MusicPlay.Params(track: name, atUs: zero + 150_000, quantise: quantise))
        let waited = Double(stop.scheduledUs - zero) * facts.bpm / 60_000_000
        #expect(abs(waited - beats) < 1e-4, "\(name) \(quantise) \(waited)")
        _ = try stage.connection.call(MusicCancel.self, MusicCancel.Params(plan: stop.plan))
      }
      try stage.clear()
    }
  }

  @Test func starlightSyncsMusicRunsOnUnheardWhileItIsSwitchedOff() throws {
    try checkSwitch("starlight-sync", "audio_bgm_main", holds: false)
  }

  @Test func freefallsMusicStandsWhileItIsSwitchedOffAndGoesOnInPlace() throws {
    try checkSwitch("freefall", "world1-track-a", holds: true)
  }

  /// Music that is off from half a second to one and a half after its beginning.
  private func checkSwitch(_ pack: String, _ track: String, holds: Bool) throws {
    let stage = try MomentStage(MomentTable.read(pack))
    let zero = stage.nextSecond
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
    let zero = stage.nextSecond
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
    let zero = stage.nextSecond
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
