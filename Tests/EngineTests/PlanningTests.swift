// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct PlanningTests {
  @Test func aSoundWithoutAnInstantIsHeardAsSoonAsTheOutputCan() throws {
    var fixture = try EngineFixture()
    let played = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: .daemon)
    #expect(played.scheduledUs == 1_010_000)
    #expect(played.lateUs == 0)
    let start = try #require(fixture.engine.takeActions().soundStarts.first)
    #expect(start.at == 480)
    #expect(start.gain == 0.5)
    #expect(start.bus == .sound)
  }

  /// A device that hangs: the mixer has reached frame 4 800, the timeline says that frame 96 000 is heard by now.
  @Test func anOutputThatStandsStillPromisesNoInstantThatIsPast() throws {
    let now = Instant(microseconds: 3_000_000)
    let timeline = AudioTimeline(frame: 0, instant: Instant(microseconds: 1_000_000), rate: 48_000)
    let stalled = Turn(now: now, timeline: timeline, mixedFrame: 4_800, period: 480, hapticLead: .zero)
    #expect(stalled.reachableFrame == 96_480)
    var fixture = try EngineFixture()
    fixture.output = stalled
    let played = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: .daemon)
    #expect(played.scheduledUs == 3_010_000)
    let late = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 2_000_000), by: .daemon)
    #expect(late.lateUs == 1_010_000)
    // One that runs is a period on from what it mixed.
    let running = Turn(now: now, timeline: timeline, mixedFrame: 96_500, period: 480, hapticLead: .zero)
    #expect(running.reachableFrame == 96_980)
  }

  /// Periods of 10 ms, 480 frames; what is asked for takes 2 ms until the mixer can take it.
  @Test(arguments: [
    (nextWakeUs: 2_001 as Int64, periods: 0 as Int64), (2_000, 1), (500, 1), (-7_999, 1), (-8_000, 2), (-17_999, 2),
    (-18_000, 3),
  ])
  func whatAWakeTakesThatMayComeBeforeACommandIsNotPromised(_ wake: (nextWakeUs: Int64, periods: Int64)) {
    let now = Instant(microseconds: 3_000_000)
    let turn = Turn(
      now: now, timeline: AudioTimeline(frame: 0, instant: Instant(microseconds: 1_000_000), rate: 48_000),
      mixedFrame: 100_000, period: 480, nextWake: now + Interval(nanoseconds: wake.nextWakeUs * 1_000),
      serving: .milliseconds(2), hapticLead: .zero)
    #expect(turn.reachableFrame == 100_000 + wake.periods * 480)
  }

  @Test func aFarInstantIsKeptAndTurnedIntoAFrameShortlyBefore() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 3_000_000), by: .daemon)
    #expect(fixture.run(to: 2_890_000).soundStarts.isEmpty)
    let starts = fixture.run(to: 2_900_000).soundStarts
    #expect(starts.map(\.at) == [96_000])
  }

  @Test func aPlanFollowsTheDevicesClockAsMeasuredLast() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 3_000_000), by: .daemon)
    _ = fixture.run(to: 2_800_000)
    // The device turns out to run 1 % fast: the same instant is a later frame.
    var output = EngineFixture.output(at: 2_950_000)
    output.timeline.nanosecondsPerFrame = 1e9 / 48_480
    fixture.output = output
    fixture.engine.advance()
    #expect(fixture.engine.takeActions().soundStarts.map(\.at) == [96_960])
  }

  @Test func aLateSoundIsShiftedAndSaysSo() throws {
    var fixture = try EngineFixture()
    let played = try fixture.engine.playSound(
      SoundPlay.Params(sound: "click", atUs: 990_000), by: .daemon)
    #expect(played.scheduledUs == 1_010_000)
    #expect(played.lateUs == 20_000)
  }

  @Test func lateMusicEntersInPlace() throws {
    var fixture = try EngineFixture()
    let played = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 510_000), by: .daemon)
    #expect(played.scheduledUs == 1_010_000)
    #expect(played.lateUs == 500_000)
    #expect(played.positionUs == 500_000)
    let start = try #require(fixture.engine.takeActions().audio.compactMap(\.trackStart).first)
    #expect(start.sourceFrame == 24_000)
    #expect(start.at == 480)
  }

  @Test func aPlaceBehindTheHeadIsGivenTimeToBeRead() throws {
    var fixture = try EngineFixture()
    let near = try fixture.engine.playMusic(MusicPlay.Params(track: "main", positionUs: 300_000), by: .daemon)
    #expect(near.scheduledUs == 1_010_000)
    let far = try fixture.engine.playMusic(MusicPlay.Params(track: "main", positionUs: 5_000_000), by: .daemon)
    #expect(far.scheduledUs == 1_070_000)
    #expect(far.positionUs == 5_000_000)
  }

  @Test func aCueIsOneBatchAndOneZero() throws {
    var fixture = try EngineFixture()
    let params = CueFire.Params(cue: "lock", atUs: 2_000_000)
    let fired = try fixture.engine.fireCue(params, by: Cause(client: ClientID(rawValue: 1)))
    #expect(fired.scheduledUs == 2_000_000)
    #expect(fired.skewUs == 0)
    #expect(fired.skipped.count == 1)
    #expect(fired.skipped[0].reason.contains("lost.wav is missing"))
    #expect(fired.skipped[0].kind == .unavailable && fired.skipped[0].step == "sound game:lost")
    let actions = fixture.run(to: 3_200_000)
    #expect(actions.soundStarts.map(\.at) == [48_000])
    #expect(actions.audio.compactMap(\.trackStart).map(\.at) == [96_000])
    guard case .start(_, _, let source, let at, _) = try #require(actions.haptics.first) else {
      Issue.record("the cue's pattern was not started")
      return
    }
    #expect(source == "game:thud")
    #expect(at == Instant(microseconds: 2_250_000))
  }

  @Test func stepsOfOneInstantReachTheMixerInOneBatch() throws {
    var fixture = try EngineFixture()
    for _ in 0..<3 {
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 2_000_000), by: .daemon)
    }
    let batches = fixture.run(to: 2_000_000).batches
    #expect(batches.map(\.count) == [3])
  }

  @Test func aCueWaitsForTheNextBeat() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_200_000), by: .daemon)
    _ = fixture.run(to: 1_300_000)
    // 120 BPM from 1.2 s: beats at 1.7, 2.2, ...; bars of four at 3.2, ...
    let beat = try fixture.engine.fireCue(
      CueFire.Params(cue: "lock", quantise: .beat), by: .daemon)
    #expect(beat.scheduledUs == 1_700_000)
    // It changes the music a second later, for a track without beats.
    _ = try fixture.engine.stopCue(CueStop.Params(id: #require(beat.id)), by: .daemon)
    let bar = try fixture.engine.fireCue(CueFire.Params(cue: "lock", quantise: .bar), by: .daemon)
    #expect(bar.scheduledUs == 3_200_000)
  }

  @Test func anUnknownNameIsToldWithItsNearest() throws {
    var fixture = try EngineFixture()
    #expect(
      throws: RPCError(
        .unknownName, "no sound game:clik; did you mean game:click?",
        hint: "\(method: "pack.list") names every sound",
        candidates: ["game:click"])
    ) { try fixture.engine.playSound(SoundPlay.Params(sound: "clik"), by: .daemon) }
  }

  @Test func aNameOfAnotherPackIsToldWithItsPack() throws {
    let other = try PackManifest.parse(
      Array(
        #"{"name": "extras", "title": "Extras", "version": "1", "sounds": {"clack": {"file": "clack.wav"}}}"#.utf8),
      path: "pack.json")
    let fixture = try EngineFixture()
    let packs = fixture.engine.catalog.packs + [Catalog.Pack(manifest: other, path: "/extras")]
    #expect(
      throws: VerbRefusal(
        .unknownName, "no sound game:clack; did you mean extras:clack?",
        remedy: "\(method: "pack.list") names every sound",
        candidates: ["extras:clack", "game:click"])
    ) { try Catalog(packs: packs, active: "game").resolve(.sound, "clack", active: "game") }
  }

  @Test func aClientThatPlansWithoutEndIsStopped() throws {
    var fixture = try EngineFixture()
    let me = Cause(client: ClientID(rawValue: 6))
    for index in 0..<1_024 as Range<Int64> {
      _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 60_000_000 + index * 1_000), by: me)
    }
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 90_000_000), by: me)
    }
    #expect(refused?.data.kind == "busy")
    #expect(fixture.run(to: 61_100_000).soundStarts.count == 1_024)
    // Another client still may.
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: Cause(client: ClientID(rawValue: 7)))
  }

  @Test(arguments: [true, false]) func aSoundThatIsStoppedAfterItsInstantBegins(isNamed: Bool) throws {
    var fixture = try EngineFixture()
    let played = try fixture.engine.playSound(SoundPlay.Params(sound: "word", atUs: 3_000_000), by: .daemon)
    let never = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 3_100_000), by: .daemon)
    _ = try fixture.engine.stopSound(SoundStop.Params(id: isNamed ? never.id : nil, atUs: 3_100_000), by: .daemon)
    if isNamed {
      _ = try fixture.engine.stopSound(SoundStop.Params(id: played.id, atUs: 3_100_000), by: .daemon)
    }
    let (first, second) = (UInt64(try #require(played.id)), UInt64(try #require(never.id)))
    let audio = fixture.run(to: 3_500_000).audio
    // A stop of all with an instant of its own lets what begins from then on begin.
    #expect(
      audio.compactMap { if case .start(let start) = $0 { start.id.rawValue } else { nil } }
        == (isNamed ? [first] : [first, second]))
    let stopped = VoiceID(rawValue: first)
    #expect(audio.stopped.filter { $0.voice == stopped }.map(\.at) == [100_800])
  }

  @Test func numbersOutOfRangeAreRefused() throws {
    var fixture = try EngineFixture()
    for gain in [-0.1, 4.1, .nan, .infinity] {
      #expect(throws: RPCError.self) {
        try fixture.engine.playSound(SoundPlay.Params(sound: "click", gain: gain), by: .daemon)
      }
    }
    #expect(throws: RPCError.self) {
      try fixture.engine.playMusic(MusicPlay.Params(track: "main", crossfadeUs: -1), by: .daemon)
    }
    #expect(throws: RPCError.self) {
      try fixture.engine.playMusic(MusicPlay.Params(track: "main", positionUs: 10_000_000), by: .daemon)
    }
  }
}
