// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// What a pack that is read anew changes, and what goes on as it began. What is of a later reading is marked by a stroke.
@Suite struct PackGenerationTests {
  private let me = Cause(client: ClientID(rawValue: 1), line: 1)

  @Test func musicGoesOnAndWhatIsAskedForNextIsOfTheNewReading() throws {
    try Script(
      """
      0     play main
      1000  reload
      2000  play other
      """
    ).expect(
      """
      heard
      10    main begins
      2010  main ends over 500
      2010  other' begins over 500
      """)
  }

  @Test func musicOfAnEarlierReadingIsNotContinued() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 2_000_000)
    fixture.reload()
    let played = try fixture.engine.playMusic(MusicPlay.Params(track: "main", from: .continue), by: me)
    let actions = fixture.run(to: 3_000_000)
    let starts = actions.audio.compactMap(\.trackStart)
    #expect(played.positionUs == 0 && starts.map(\.sourceFrame) == [0])
    #expect(starts.map(\.source) == [.track(fixture.loaded("main"), loops: true)])
    #expect(actions.audio.stopped.count == 1)
  }

  @Test func whatWasPlannedBeginsAsItWasPlanned() throws {
    try Script(
      """
      0     play main at 3000
      0     sound click at 3000
      0     fire lock at 2000
      1000  reload
      1000  sound click at 4000
      """
    ).expect(
      """
      heard
      2000  click begins
      3000  click#2 begins
      3000  main begins
      3000  main ends over 500
      3000  other begins over 500
      4000  click' begins
      """)
  }

  @Test func aChapterKeepsItsReadingToItsEndAndThroughRestarts() throws {
    var fixture = try EngineFixture(
      cues: #""hit": {"steps": [{"sound": "click"}]}"#, feedback: "hit")
    let first = fixture.loaded("main").generation
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap", atUs: 2_000_000), by: me)
    _ = fixture.run(to: 2_900_000)
    fixture.reload { pack in
      pack.beatMaps = [:]
      pack.sounds = [:]
    }
    var actions = fixture.run(to: started.startUs + 1_000_000)
    _ = try fixture.engine.tap(RhythmTap.Params(), arrival: Instant(microseconds: started.startUs + 1_000_000))
    _ = try fixture.engine.restartedChapter()
    actions += fixture.run(to: started.startUs + 3_000_000)
    // The click of its hit, and the song of the restart.
    #expect(actions.soundStarts.map(\.sound) == [.sound(LoadedKey(first, "click"))])
    #expect(actions.audio.compactMap(\.trackStart).map(\.source) == [.track(LoadedKey(first, "main"), loops: true)])
    _ = try fixture.engine.stopChapter(by: me)
    #expect(throws: RPCError.self) {
      _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: me)
    }
  }

  @Test func beatsAreThoseOfTheReadingThatPlays() throws {
    var fixture = try EngineFixture()
    fixture.engine.tellsBeats = true
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 2_000_000)
    let text = EngineFixture.manifest.replacing(#""bpm": 120"#, with: #""bpm": 60"#)
    let manifest = try PackManifest.parse(Array(text.utf8), path: "pack.json")
    fixture.reload { $0.manifest = manifest }
    #expect(fixture.engine.musicStatus().bpm == 120)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = fixture.run(to: 3_000_000)
    #expect(fixture.engine.musicStatus().bpm == 60)
  }

  @Test func whatAPackSaysToStopEndsWhateverReadingItIsOf() throws {
    let cues = #""hush": {"steps": [{"stop": {"sound": "click"}}]}"#
    try Script(
      """
      0     sound click loop
      1000  reload
      1000  sound click loop
      2000  fire hush
      """, fixture: try EngineFixture(cues: cues)
    ).expect(
      """
      heard
      10    click begins
      1010  click' begins
      2010  click ends over 5
      2010  click' ends over 5
      """)
  }

  @Test func aPackThatIsTakenOutIsKnownNoMoreAndPlaysOn() throws {
    try Script(
      """
      0     play main
      0     sound click at 2000
      1000  unload
      1500  sound click, refused as unknownName
      """
    ).expect(
      """
      heard
      10    main begins
      2000  click begins
      """)
  }

  @Test func aReadingIsNobodysOnceAllOfItHasEnded() throws {
    var fixture = try EngineFixture()
    weak var first: PackGeneration?
    do { first = fixture.engine.catalog.generations[0] }
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: me)
    _ = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), by: me)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "lock"), by: me)
    var voices = fixture.run(to: 1_500_000).audio.compactMap(\.begun)
    fixture.reload()
    #expect(first != nil)
    _ = try fixture.engine.stopMusic(FadeParams(), by: me)
    voices += fixture.run(to: 5_000_000).audio.compactMap(\.begun)
    _ = try fixture.engine.stopMusic(FadeParams(), by: me)
    _ = fixture.run(to: 6_000_000)
    for voice in voices { fixture.engine.voiceFinished(voice, at: EngineFixture.frame(6_000_000), .ended) }
    _ = fixture.run(to: 7_000_000)
    fixture.engine.forgetPast()
    #expect(fixture.engine.holdings.values.allSatisfy { $0 == 0 })
    #expect(first == nil)
  }
}

/// What becomes of parameters whose pack is read anew.
@Suite struct ReloadedParameterTests {
  private let me = Cause(client: ClientID(rawValue: 1), line: 1)

  private func fixture(_ parameters: String) throws -> EngineFixture { try EngineFixture(parameters: parameters) }

  private func driven(_ actions: [EngineAction]) -> [Float] {
    actions.audio.compactMap { step in
      if case .steer(.drive(_, to: let value, at: _, fade: _)) = step { value } else { nil }
    }
  }

  private func parameter(_ name: String, to gain: Double) -> String {
    #""\#(name)": {"default": 1, "targets": [{"sound": "click", "gain": {"power": 1, "to": \#(gain)}}]}"#
  }

  private func reload(_ fixture: inout EngineFixture, _ parameters: String) throws {
    let manifest = try self.fixture(parameters).engine.catalog.packs[0].manifest
    fixture.reload { $0.manifest = manifest }
  }

  @Test func whatItWasSetToStaysAndLeadsByTheNewCurve() throws {
    var fixture = try fixture(parameter("fear", to: 1))
    _ = try fixture.engine.setParameter(ParameterSet.Params(parameter: "fear", value: 0.5), by: me)
    _ = fixture.run(to: 2_000_000)
    try reload(&fixture, parameter("fear", to: 0.5))
    #expect(driven(fixture.run(to: 3_000_000)).last == 0.25)
    #expect(try fixture.engine.listParameters(ParameterList.Params()).parameters.map(\.value) == [0.5])
  }

  @Test func oneThatNobodySetHasItsNewDefault() throws {
    var fixture = try fixture(parameter("fear", to: 1))
    _ = fixture.run(to: 2_000_000)
    try reload(&fixture, parameter("fear", to: 1).replacing(#""default": 1"#, with: #""default": 0.25"#))
    #expect(driven(fixture.run(to: 3_000_000)).last == 0.25)
  }

  @Test func whatNothingLeadsAnyMoreIsAsItIsByItself() throws {
    var fixture = try fixture(parameter("fear", to: 0.5))
    _ = try fixture.engine.setParameter(
      ParameterSet.Params(parameter: "fear", value: 0, atUs: 5_000_000), by: me)
    _ = fixture.run(to: 2_000_000)
    try reload(&fixture, parameter("hope", to: 1).replacing("click", with: "word"))
    #expect(driven(fixture.run(to: 6_000_000)).first == 1)
    #expect(try fixture.engine.listParameters(ParameterList.Params()).parameters.map(\.parameter) == ["game:hope"])
    #expect(fixture.engine.holdings["settings of parameters"] == 0 && fixture.engine.holdings["shares"] == 0)
    // And what was known before is not told again.
    try reload(&fixture, "")
    try reload(&fixture, parameter("hope", to: 1).replacing("click", with: "word"))
    #expect(driven(fixture.run(to: 7_000_000)).allSatisfy { $0 == 1 })
  }

  @Test func voicesKeepTheirFamilies() throws {
    var fixture = try fixture(parameter("fear", to: 1))
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: me)
    let before = try #require(fixture.run(to: 2_000_000).soundStarts.first).family
    try reload(
      &fixture, parameter("dread", to: 1).replacing("click", with: "word") + ", " + parameter("fear", to: 0.5))
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: me)
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: "word"), by: me)
    let after = fixture.run(to: 3_000_000).soundStarts.map(\.family)
    #expect(before >= 0 && after.first == before && Set(after).count == 2)
  }
}

/// What becomes of what other packs drive, and of families.
@Suite struct ParametersOfPacksTests {
  private let me = Cause(client: ClientID(rawValue: 1), line: 1)

  private func pack(_ name: String, sound: String = "click", to gain: Double = 0.5) throws -> Catalog.Pack {
    let text = """
      {"name": "\(name)", "title": "T", "version": "1", "sounds": {"\(sound)": {"file": "s.wav"}},
       "parameters": {"own": {"targets": [{"sound": "\(sound)", "gain": {"power": 1, "to": \(gain)}}]},
                      "all": {"targets": [{"bus": "voice", "gain": {"power": 1, "from": \(gain), "to": 1}}]}}}
      """
    var pack = Catalog.Pack(manifest: try PackManifest.parse(Array(text.utf8), path: "pack.json"), path: "/\(name)")
    pack.sounds = [sound: 48_000]
    return pack
  }

  private func fixture(_ names: [String]) throws -> EngineFixture {
    var fixture = try EngineFixture()
    fixture.engine = Engine(
      catalog: Catalog(packs: try names.map { try pack($0) }), configuration: Engine.Configuration(),
      turn: fixture.engine.turn)
    _ = fixture.run(to: 2_000_000)
    return fixture
  }

  private func driven(_ actions: [EngineAction]) -> [String] {
    actions.audio.compactMap { step in
      if case .steer(.drive(let target, let value, _, _)) = step { "\(target) to \(value)" } else { nil }
    }
  }

  private func families(_ fixture: inout EngineFixture, _ sounds: [String], until us: Int64) throws -> [Int32] {
    for sound in sounds { _ = try fixture.engine.playSound(SoundPlay.Params(sound: sound), by: me) }
    return fixture.run(to: us).soundStarts.map(\.family)
  }

  @Test func whatAPackThatIsReadDoesNotDriveIsLeftAlone() throws {
    var fixture = try fixture(["a", "b", "c"])
    fixture.engine.take(try pack("b", to: 0.25))
    // Its own sound, and the bus, which all drive.
    let all = Set(driven(fixture.run(to: 3_000_000)))
    #expect(all == ["familyGain(1) to 0.0", "busGain(Mixing.Bus.voice) to 0.0625"])
    fixture.engine.drop(pack: "b")
    #expect(Set(driven(fixture.run(to: 4_000_000))) == ["familyGain(1) to 1.0", "busGain(Mixing.Bus.voice) to 0.25"])
    #expect(
      try fixture.engine.listParameters(ParameterList.Params()).parameters.map(\.parameter) == [
        "a:all", "a:own", "c:all", "c:own",
      ])
  }

  @Test func aPackThatIsTakenOutKeepsItsFamiliesForAsLongAsItPlays() throws {
    var fixture = try fixture(["a", "b"])
    #expect(try families(&fixture, ["b:click"], until: 2_100_000) == [1])
    let voice = try #require(fixture.engine.sounds.voices.first)
    fixture.engine.drop(pack: "b")
    fixture.engine.take(try pack("c"))
    #expect(try families(&fixture, ["a:click", "c:click"], until: 3_000_000) == [0, 2])
    // It comes back while what began before still plays.
    fixture.engine.take(try pack("b"))
    #expect(try families(&fixture, ["b:click"], until: 4_000_000) == [1])
    #expect(fixture.engine.parameters.families.count == 3)
    fixture.engine.drop(pack: "b")
    for playing in fixture.engine.sounds.voices {
      fixture.engine.voiceFinished(playing, at: EngineFixture.frame(4_000_000), .ended)
    }
    _ = fixture.run(to: 5_000_000)
    #expect(fixture.engine.sounds[voice] == nil)
    // Now its number is another's.
    fixture.engine.take(try pack("d"))
    #expect(try families(&fixture, ["d:click"], until: 6_000_000) == [1])
    #expect(fixture.engine.parameters.families.count == 3)
  }

  @Test func packsThatComeAndGoTakeNoMoreThanThoseThatAreThere() throws {
    var fixture = try fixture(["a"])
    for number in 0..<20 {
      #expect(fixture.engine.hasRoom(forParametersOf: try pack("p\(number)")))
      fixture.engine.take(try pack("p\(number)", sound: "s\(number)"))
      _ = fixture.run(to: 3_000_000 + Int64(number) * 1_000_000)
      fixture.engine.drop(pack: "p\(number)")
    }
    _ = fixture.run(to: 40_000_000)
    fixture.engine.take(try pack("b"))
    #expect(fixture.engine.parameters.families.count == 2)
    // The slots of those that have gone are taken again: bus, a's, the last one's and b's.
    #expect(fixture.engine.parameters.parameters.count == 4 && fixture.engine.parameters.targets.count <= 4)
  }
}

extension AudioStep {
  /// The voice that it begins.
  fileprivate var begun: VoiceID? { if case .start(let start) = self { start.id } else { nil } }
}
