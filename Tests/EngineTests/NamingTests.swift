// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Testing
import Wire

@testable import Engine

/// What is told is `pack:name`; a bare name is of the pack that its client uses.
@Suite struct NamingTests {
  private let one = Cause(client: ClientID(rawValue: 1))
  private let other = Cause(client: ClientID(rawValue: 2))

  /// Two packs that call things alike; `game` is the daemon's active one.
  private func twoPacks() throws -> EngineFixture {
    var fixture = try EngineFixture()
    let text = EngineFixture.manifest.replacing(#""name": "game""#, with: #""name": "extras""#)
    var extras = fixture.engine.catalog.packs[0]
    extras.manifest = try PackManifest.parse(Array(text.utf8), path: "pack.json")
    fixture.engine = Engine(
      catalog: Catalog(packs: fixture.engine.catalog.packs + [extras], active: "game"),
      configuration: Engine.Configuration(), turn: fixture.output)
    return fixture
  }

  @Test func aBareNameIsOfThePackThatItsClientUses() throws {
    var fixture = try twoPacks()
    let used = try fixture.engine.usePack(SessionUse.Params(pack: "extras"), by: one)
    #expect(used.pack == "extras")
    #expect(try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: one).track == "extras:main")
    #expect(try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: other).track == "game:main")
    #expect(try fixture.engine.playMusic(MusicPlay.Params(track: "game:main"), by: one).track == "game:main")
    #expect(try fixture.engine.packList(PackList.Params(), for: one.client).active == "extras")
    #expect(try fixture.engine.packList(PackList.Params(), for: other.client).active == "game")
  }

  @Test func withoutAPackTheDaemonsOwnIsUsedAgain() throws {
    var fixture = try twoPacks()
    _ = try fixture.engine.usePack(SessionUse.Params(pack: "extras"), by: one)
    #expect(try fixture.engine.usePack(SessionUse.Params(), by: one).pack == "game")
    #expect(try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: one).track == "game:main")
  }

  @Test func aPackThatIsNotThereIsRefusedAndNothingChanges() throws {
    var fixture = try twoPacks()
    _ = try fixture.engine.usePack(SessionUse.Params(pack: "extras"), by: one)
    do throws(RPCError) {
      _ = try fixture.engine.usePack(SessionUse.Params(pack: "extra"), by: one)
      Issue.record("there is no such pack")
    } catch {
      #expect(error.message == "no pack extra; did you mean extras?" && error.data.candidates == ["extras"])
    }
    #expect(fixture.engine.activePack(of: one.client) == "extras")
  }

  /// Numbers of clients are not given twice; the table must not grow all the same.
  @Test func whatAClientUsedIsForgottenWithIt() throws {
    var fixture = try twoPacks()
    _ = try fixture.engine.usePack(SessionUse.Params(pack: "extras"), by: one)
    fixture.engine.clientLeft(one.client)
    #expect(fixture.engine.usedPacks.isEmpty)
  }

  @Test func whatACueDoesIsOfItsOwnPack() throws {
    var fixture = try twoPacks()
    _ = try fixture.engine.usePack(SessionUse.Params(pack: "game"), by: one)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "extras:lock"), by: one)
    let lines = fixture.run(to: 4_000_000).lines.joined(separator: "\n")
    #expect(lines.contains(#""cue":"extras:lock""#) && lines.contains(#""source":"extras:thud""#))
    #expect(lines.contains(#""track":"extras:other""#) && !lines.contains("game:"))
  }

  /// Each kind of asset, in replies and in what is told; of the active pack, too.
  @Test func everyNameThatIsToldHasItsPack() throws {
    var fixture = try EngineFixture(
      feedback: "lock", parameters: #""low": {"targets": [{"bus": "sound", "gain": {"power": 1}}]}"#)
    #expect(try fixture.engine.fireCue(CueFire.Params(cue: "lock"), by: one).cue == "game:lock")
    #expect(try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), by: one).source == "game:thud")
    #expect(try fixture.engine.playTransient(HapticsTransient.Params(), by: one).source == "transient")
    _ = try fixture.engine.setParameter(ParameterSet.Params(parameter: "low", value: 1), by: one)
    let played = try fixture.engine.playSound(SoundPlay.Params(sound: "click"), by: one)
    let sound = try #require(played.id)
    #expect(played.sound == "game:click")
    var lines = fixture.run(to: 1_500_000).lines
    fixture.engine.voiceFinished(VoiceID(rawValue: UInt64(sound)), at: 24_000, .ended)
    lines += fixture.run(to: 3_000_000).lines
    #expect(fixture.engine.musicStatus().track == "game:other")
    #expect(try fixture.engine.listParameters(ParameterList.Params()).parameters.map(\.parameter) == ["game:low"])
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: one)
    #expect(started.chapter == "game:tap" && fixture.engine.chapterStatus().chapter == "game:tap")
    lines += fixture.run(to: 9_000_000).lines
    #expect(fixture.engine.chapterStatus().chapter == "game:tap")
    let told = lines.joined(separator: "\n")
    for name in ["track", "from", "sound", "source", "cue", "chapter", "parameter"] {
      #expect(told.contains("\"\(name)\":\"game:"), "\(name)")
      let bare = told.matches(of: try Regex("\"\(name)\":\"(?!game:|transient)[^\"]*\"")).map { String($0.0) }
      #expect(bare.isEmpty)
    }
  }

  /// Who takes a track for a sound is not helped by names like it.
  @Test(arguments: [
    ("main", "game:main is a track", "music.play plays tracks"),
    ("click", "game:click is a sound", "sound.play plays sounds"),
    ("game:thud", "game:thud is a pattern", "haptics.play plays patterns"),
    ("lock", "game:lock is a cue", "cue.fire fires cues"),
    ("tap", "game:tap is a chapter", "rhythm.start begins chapters"),
    ("low", "game:low is a parameter", "parameter.set sets parameters"),
  ])
  func whatIsOfAnotherKindIsSaidToBe(_ name: String, _ isOther: String, _ remedy: String) throws {
    var fixture = try EngineFixture(parameters: #""low": {"targets": [{"bus": "sound", "gain": {"power": 1}}]}"#)
    let asked: (inout EngineFixture) throws -> Void = { [one] fixture in
      if name == "click" {
        _ = try fixture.engine.playMusic(MusicPlay.Params(track: name), by: one)
      } else {
        _ = try fixture.engine.playSound(SoundPlay.Params(sound: name), by: one)
      }
    }
    let refusal = #expect(throws: RPCError.self) { try asked(&fixture) }
    let bare = name.replacing("game:", with: "")
    #expect(refusal?.message == "no \(name == "click" ? "track" : "sound") game:\(bare): \(isOther)")
    #expect(refusal?.data.hint == remedy && refusal?.data.kind == "unknownName")
  }

  @Test func whatIsListedCanBeSentAsItStands() throws {
    var fixture = try twoPacks()
    let packs = try fixture.engine.packList(PackList.Params(), for: one.client).packs
    #expect(packs.map(\.name) == ["game", "extras"])
    #expect(packs[1].tracks.map(\.name) == ["extras:gone", "extras:main", "extras:other"])
    #expect(packs[1].sounds[0].name == "extras:click" && packs[1].patterns[0].name == "extras:thud")
    #expect(packs[1].cues == ["extras:lock"])
    #expect(packs[1].chapters[0].name == "extras:tap" && packs[1].chapters[0].track == "extras:main")
    _ = try fixture.engine.playSound(SoundPlay.Params(sound: packs[1].sounds[0].name), by: one)
  }
}
