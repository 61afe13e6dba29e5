// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Timing
import Wire

@testable import Host

/// Control that is not let run between planning a start and handing it over: what the mixer has passed by then is planned anew, and
/// nobody was told of what it was planned for.
@Suite struct PassedPlanTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "cues": {"tap": {"steps": [{"sound": "sfx_click"}, {"transient": {"intensity": 1, "sharpness": 0.5}}]},
              "swell": {"steps": [{"sound": "sfx_click"}, {"sound": "sfx_click", "at": 0.02}]}},
     "chapters": {"one": {"track": "main", "title": "One", "length": 2.5, "spawnLead": 0.5,
                          "beats": [{"at": 1}, {"at": 1.5}], "feedback": {"hit": "tap"}}}}
    """

  private func rig(journal: Bool = false) throws -> HostRig {
    let rig = try HostRig(
      manifest: Self.manifest, files: ["main", "sfx_click"], records: true,
      configure: { configuration in
        configuration.hapticLogPath = configuration.packFolders[0] + "/felt.ndjson"
        if journal { configuration.journalPath = configuration.packFolders[0] + "/journal" }
      })
    try #require(rig.host.problems.isEmpty, "\(rig.host.problems)")
    rig.host.topics = Set(Topic.allCases)
    return rig
  }

  /// What is answered where the mixer goes on for so long before it is told.
  private func late<Value: Decodable>(
    _ rig: HostRig, by lateUs: Int64, _ method: String, _ params: String, _ type: Value.Type
  ) throws -> Value {
    rig.host.handsOverLate = LateHandover(by: .microseconds(lateUs))
    let line = rig.ask(method, params)
    #expect(rig.host.handsOverLate == nil, "\(line)")
    return try HostRig.result(line, type)
  }

  /// The frames of what was put out behind which there is sound, each after silence.
  private func onsets(_ rig: HostRig) throws -> [Int] {
    let heard = try rig.heard()
    return heard.indices.filter { heard[$0] != 0 && ($0 == 0 || heard[$0 - 1] == 0) }
  }

  private func lateStarts(_ rig: HostRig) -> Int { rig.host.status().audio.lateStarts }

  private func felt(_ rig: HostRig) throws -> [Int64] {
    let lines = try Data(contentsOf: URL(filePath: rig.directory + "/felt.ndjson"))
    return String(decoding: lines, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.split(separator: "\"tUs\":").last.flatMap { Int64($0.prefix { $0.isNumber }) }
    }
  }

  @Test func aSoundIsToldForWhenItBegins() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let played = try late(rig, by: 20_000, "sound.play", #"{"sound":"sfx_click"}"#, SoundPlay.Result.self)
    // Now is 1.03 s, and the mixer a look-ahead of 1 ms further: frame 1,488.
    #expect(played.scheduledUs == 1_031_000 && played.lateUs == 0 && played.id == 1)
    rig.step(microseconds: 100_000)
    #expect(lateStarts(rig) == 0)
    #expect(try onsets(rig) == [1_488])
  }

  @Test func aSoundThatWasAskedForAnInstantIsToldHowLateItIs() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let played = try late(
      rig, by: 20_000, "sound.play", #"{"sound":"sfx_click","atUs":1015000}"#, SoundPlay.Result.self)
    #expect(played.scheduledUs == 1_031_000 && played.lateUs == 16_000)
    // One that is not passed meanwhile stays where it was asked for.
    let other = try late(
      rig, by: 20_000, "sound.play", #"{"sound":"sfx_click","atUs":1120000}"#, SoundPlay.Result.self)
    #expect(other.scheduledUs == 1_120_000 && other.lateUs == 0 && other.id == 2)
    rig.step(microseconds: 200_000)
    #expect(lateStarts(rig) == 0)
    #expect(try onsets(rig) == [1_488, 5_760])
  }

  @Test func aCueIsHeardAndFeltTogetherWhenItIsTold() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let fired = try late(rig, by: 20_000, "cue.fire", #"{"cue":"tap"}"#, CueFire.Result.self)
    #expect(fired.scheduledUs == 1_031_000 && fired.soundAtUs == 1_031_000 && fired.hapticAtUs == 1_031_000)
    rig.step(microseconds: 100_000)
    #expect(lateStarts(rig) == 0)
    let told = rig.host.takeNotifications().filter { $0.topic == .cue }
    #expect(told.map(\.tUs) == [1_031_000])
    #expect(try onsets(rig) == [1_488])
    #expect(try felt(rig).first == 1_031_000)
  }

  @Test func theStepsOfACueKeepTheirDistance() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let fired = try late(rig, by: 20_000, "cue.fire", #"{"cue":"swell"}"#, CueFire.Result.self)
    #expect(fired.scheduledUs == 1_031_000)
    rig.step(microseconds: 15_000)
    #expect(rig.host.status().audio.activeVoices == 1)
    rig.step(microseconds: 6_000)
    #expect(rig.host.status().audio.activeVoices == 2)
    rig.step(microseconds: 200_000)
    #expect(lateStarts(rig) == 0)
    #expect(rig.host.holdings.allSatisfy { $0.value == 0 }, "\(rig.host.holdings)")
  }

  @Test func aTrackBeginsAtItsBeginning() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let played = try late(rig, by: 20_000, "music.play", #"{"track":"main"}"#, MusicPlay.Result.self)
    #expect(played.scheduledUs == 1_031_000)
    rig.step(microseconds: 100_000)
    #expect(lateStarts(rig) == 0)
    _ = rig.ask("music.stop")
    rig.step(microseconds: 1_000_000)
    #expect(rig.host.holdings.allSatisfy { $0.value == 0 }, "\(rig.host.holdings)")
    #expect(try onsets(rig).first == 1_488)
  }

  /// A steady tone goes on as it is to the very frame that is told, however late the mixer is told of it.
  @Test(arguments: [
    ("music.gain", #"{"gain":0.5,"fadeUs":10000}"#), ("music.pause", #"{"fadeUs":10000}"#),
    ("music.stop", #"{"fadeUs":10000}"#),
  ]) func whatChangesTheMusicIsHeardWhenItIsTold(_ method: String, _ params: String) throws {
    let rig = try rig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    let changed = try late(rig, by: 20_000, method, params, Scheduled.self)
    // Asked at 1.5 s, and 20 ms later planned for a look-ahead of 1 ms further.
    #expect(changed.scheduledUs == 1_521_000)
    rig.step(microseconds: 100_000)
    let heard = try rig.heard()
    let frame = 521 * 48
    #expect(heard[1_000..<frame].allSatisfy { $0 == 0.25 })
    #expect(heard[frame + 1] < 0.25 && heard[frame + 480] <= 0.125)
  }

  @Test(arguments: [("sound.stop", #""fadeUs":10000"#), ("sound.set", #""gain":0.5,"fadeUs":10000"#)])
  func whatChangesASoundIsHeardWhenItIsTold(_ method: String, _ members: String) throws {
    let rig = try rig()
    let played = try HostRig.result(
      rig.ask("sound.play", #"{"sound":"sfx_click","loop":true}"#), SoundPlay.Result.self)
    rig.step(microseconds: 500_000)
    let changed = try late(rig, by: 20_000, method, "{\"id\":\(try #require(played.id)),\(members)}", Scheduled.self)
    #expect(changed.scheduledUs == 1_521_000)
    rig.step(microseconds: 100_000)
    let heard = try rig.heard()
    let frame = 521 * 48
    #expect(heard[1_000..<frame].allSatisfy { $0 == 0.25 })
    #expect(heard[frame + 1] < 0.25 && heard[frame + 480] <= 0.125)
  }

  @Test func whatAnswersAPlayerIsPlannedAnewAndTheirTapIsNot() throws {
    let rig = try rig()
    let started = try HostRig.result(
      rig.ask("rhythm.start", #"{"chapter":"one","atUs":1500000}"#), RhythmStart.Result.self)
    #expect(started.startUs == 1_500_000)
    rig.step(microseconds: 1_500_000)
    let tapped = try late(rig, by: 20_000, "rhythm.tap", "{}", RhythmTap.Result.self)
    #expect(tapped.tapUs == 2_500_000 && tapped.verdict == .hit)
    rig.step(microseconds: 100_000)
    #expect(lateStarts(rig) == 0)
    let told = rig.host.takeNotifications()
    #expect(told.filter { $0.topic == .cue }.map(\.tUs) == [2_521_000])
    // Judged once: no other tap claims nothing.
    let score = rig.host.status().rhythm.score
    #expect(score.hits == 1 && score.ghosts == 0 && score.misses == 0)
    _ = rig.ask("rhythm.stop")
  }

  @Test func aRunInWhichThatWasSoIsTheSameAgain() throws {
    let rig = try rig(journal: true)
    rig.step(microseconds: 10_000)
    _ = try late(rig, by: 20_000, "cue.fire", #"{"cue":"tap"}"#, CueFire.Result.self)
    rig.step(microseconds: 30_000)
    _ = try late(rig, by: 7_000, "music.play", #"{"track":"main"}"#, MusicPlay.Result.self)
    rig.step(microseconds: 200_000)
    _ = try late(rig, by: 7_000, "rhythm.start", #"{"chapter":"one"}"#, RhythmStart.Result.self)
    rig.step(microseconds: 1_050_000)
    _ = try late(rig, by: 9_000, "rhythm.tap", "{}", RhythmTap.Result.self)
    rig.step(microseconds: 300_000)
    _ = try late(rig, by: 12_000, "sound.play", #"{"sound":"sfx_click"}"#, SoundPlay.Result.self)
    rig.step(microseconds: 300_000)
    #expect(lateStarts(rig) == 0)
    rig.host.stop()
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: rig.directory + "/journal")))
    let (_, parts) = try JournalReplay.read(bytes)
    #expect(parts.border.count { $0.kind == .passed } == 5)
    var wanted = JournalReplay.Configuration()
    wanted.rejudging = Rejudging(offsetUs: 0)
    let outcome = try JournalReplay(bytes, wanted).run()
    #expect(outcome.isSame && outcome.end == .whole && outcome.rejudged.count == 1, "\(outcome)")
  }
}
