// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Timing
import Wire

@testable import Host

/// What ends, holds or calls something off, told to the mixer only after that has passed the frame that was meant: what is told of it is
/// what is heard, to the frame.
@Suite struct PassedEndingTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "cues": {"hum": {"steps": [{"sound": "sfx_click", "loop": true},
                                {"continuous": {"intensity": 1, "sharpness": 0.5, "duration": 2}}]},
              "swell": {"steps": [{"sound": "sfx_click"}, {"sound": "sfx_click", "at": 0.02}]},
              "song": {"steps": [{"music": {"play": "main"}}]}},
     "chapters": {"one": {"track": "main", "title": "One", "length": 2.5, "spawnLead": 0.5,
                          "beats": [{"at": 1}, {"at": 1.5}]}}}
    """

  private func rig() throws -> HostRig {
    let rig = try HostRig(
      manifest: Self.manifest, files: ["main", "sfx_click"], records: true,
      configure: { $0.hapticLogPath = $0.packFolders[0] + "/felt.ndjson" })
    try #require(rig.host.problems.isEmpty, "\(rig.host.problems)")
    rig.host.topics = Set(Topic.allCases)
    return rig
  }

  /// What is answered where the mixer goes on for so long before it is told.
  private func late(_ rig: HostRig, by lateUs: Int64, _ method: String, _ params: String) -> String {
    rig.host.handsOverLate = LateHandover(by: .microseconds(lateUs))
    let line = rig.ask(method, params)
    #expect(rig.host.handsOverLate == nil, "\(line)")
    return line
  }

  private func late<Value: Decodable>(
    _ rig: HostRig, by lateUs: Int64, _ method: String, _ params: String, _ type: Value.Type
  ) throws -> Value {
    try HostRig.result(late(rig, by: lateUs, method, params), type)
  }

  /// Instants and lines of what was told under that name.
  private func told(_ rig: HostRig, _ name: String) -> [(tUs: Int64, line: String)] {
    rig.host.takeNotifications().compactMap { notification in
      let line = String(decoding: notification.line(seq: 1), as: UTF8.self)
      return line.contains("\"method\":\"\(name)\"") ? (notification.tUs, line) : nil
    }
  }

  /// The instant and the line of the last change of what is felt.
  private func lastFelt(_ rig: HostRig) throws -> (tUs: Int64?, line: Substring) {
    let text = String(decoding: try Data(contentsOf: URL(filePath: rig.directory + "/felt.ndjson")), as: UTF8.self)
    let line = text.split(separator: "\n").last ?? ""
    return (line.split(separator: "\"tUs\":").last.flatMap { Int64($0.prefix { $0.isNumber }) }, line)
  }

  /// Heard as it was up to a frame, and fading out from it on, in 10 ms.
  private func fades(_ heard: [Float], from frame: Int, after start: Int) -> Bool {
    heard[start..<frame].allSatisfy { $0 == 0.25 } && heard[frame + 1] < 0.25
      && heard[(frame + 480)...].allSatisfy { $0 == 0 }
  }

  @Test func aCueThatHasBegunEndsWhenItIsTold() throws {
    let rig = try rig()
    let fired = try HostRig.result(rig.ask("cue.fire", #"{"cue":"hum"}"#), CueFire.Result.self)
    rig.step(microseconds: 500_000)
    let stopped = try late(
      rig, by: 20_000, "cue.stop", #"{"id":\#(try #require(fired.id)),"fadeUs":10000}"#, CueStop.Result.self)
    // Asked at 1.5 s, and 20 ms later planned: of what is heard for a look-ahead of 1 ms further, the haptic log has none.
    #expect(stopped.soundAtUs == 1_521_000 && stopped.hapticAtUs == 1_520_000)
    #expect(stopped.stopped.count == 2 && stopped.calledOff.isEmpty && stopped.tooLate.isEmpty)
    rig.step(microseconds: 100_000)
    #expect(try fades(rig.heard(), from: 521 * 48, after: 48))
    let last = try lastFelt(rig)
    #expect(last.tUs == 1_520_000 && last.line.contains(#""intensity":0,"#))
  }

  /// A cue for 1.03 s, told to be called off at 1.01 s and by the mixer's time 30 ms later.
  @Test func aCueThatHasBegunMeanwhileIsNotCalledOff() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let fired = try HostRig.result(rig.ask("cue.fire", #"{"cue":"swell","atUs":1030000}"#), CueFire.Result.self)
    #expect(fired.scheduledUs == 1_030_000)
    let stopped = try late(
      rig, by: 30_000, "cue.stop", #"{"id":\#(try #require(fired.id)),"fadeUs":5000}"#, CueStop.Result.self)
    #expect(stopped.stopped == ["sound game:sfx_click"] && stopped.calledOff == ["sound game:sfx_click"])
    #expect(stopped.soundAtUs == 1_041_000)
    rig.step(microseconds: 100_000)
    let heard = try rig.heard()
    #expect(heard[..<(30 * 48)].allSatisfy { $0 == 0 })
    #expect(heard[(30 * 48)..<(41 * 48)].allSatisfy { $0 == 0.25 })
    #expect(heard[41 * 48 + 1] < 0.25 && heard[(46 * 48)...].allSatisfy { $0 == 0 })
  }

  @Test func aCueThatWasSwitchedOffAndOnIsNotCalledOffEither() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let fired = try HostRig.result(rig.ask("cue.fire", #"{"cue":"swell","atUs":1030000}"#), CueFire.Result.self)
    for isOn in [false, true] { _ = rig.ask("settings.set", #"{"sound":\#(isOn)}"#) }
    rig.step(microseconds: 5_000)
    let stopped = try late(
      rig, by: 25_000, "cue.stop", #"{"id":\#(try #require(fired.id)),"fadeUs":5000}"#, CueStop.Result.self)
    #expect(stopped.stopped == ["sound game:sfx_click"] && stopped.calledOff == ["sound game:sfx_click"])
    let endUs = try #require(stopped.soundAtUs)
    rig.step(microseconds: 100_000)
    let heard = try rig.heard()
    let end = Int(endUs - 1_000_000) * 48 / 1_000
    #expect(heard[..<(30 * 48)].allSatisfy { $0 == 0 })
    #expect(heard[(30 * 48)..<end].allSatisfy { $0 == 0.25 })
    #expect(heard[end + 1] < 0.25 && heard[(end + 5 * 48)...].allSatisfy { $0 == 0 })
  }

  @Test func aCueThatIsCalledOffInTimeIsNeverHeard() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let fired = try HostRig.result(rig.ask("cue.fire", #"{"cue":"swell","atUs":1030000}"#), CueFire.Result.self)
    let stopped = try late(rig, by: 15_000, "cue.stop", #"{"id":\#(try #require(fired.id))}"#, CueStop.Result.self)
    #expect(stopped.calledOff == ["sound game:sfx_click", "sound game:sfx_click"] && stopped.stopped.isEmpty)
    #expect(stopped.soundAtUs == nil)
    rig.step(microseconds: 100_000)
    #expect(try rig.heard().allSatisfy { $0 == 0 })
  }

  /// The same of one sound.
  @Test func aSoundThatHasBegunMeanwhileFadesOutWhenItIsTold() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let played = try HostRig.result(
      rig.ask("sound.play", #"{"sound":"sfx_click","atUs":1030000}"#), SoundPlay.Result.self)
    let stopped = try late(
      rig, by: 30_000, "sound.stop", #"{"id":\#(try #require(played.id)),"fadeUs":5000}"#, Scheduled.self)
    #expect(stopped.scheduledUs == 1_041_000)
    rig.step(microseconds: 100_000)
    let heard = try rig.heard()
    #expect(heard[(30 * 48)..<(41 * 48)].allSatisfy { $0 == 0.25 })
    #expect(heard[41 * 48 + 1] < 0.25 && heard[(46 * 48)...].allSatisfy { $0 == 0 })
  }

  /// What begins while the switch is off is skipped, so that it is not told as off before what has begun.
  @Test func theSwitchForSoundIsToldForWhenItActs() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    for atUs in [1_030_000, 1_090_000] { _ = rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(atUs)}"#) }
    _ = try late(rig, by: 30_000, "settings.set", #"{"sound":false}"#, Settings.self)
    rig.step(microseconds: 200_000)
    let told = rig.host.takeNotifications().map { ($0.tUs, String(decoding: $0.line(seq: 1), as: UTF8.self)) }
    #expect(told.filter { $0.1.contains("settings.changed") }.map(\.0) == [1_040_000])
    #expect(told.filter { $0.1.contains(#""reason":"ended""#) }.map(\.0) == [1_080_000])
    #expect(told.filter { $0.1.contains(#""reason":"skipped""#) }.map(\.0) == [1_090_000])
    let heard = try rig.heard()
    #expect(heard[(30 * 48)..<(80 * 48)].allSatisfy { $0 == 0.25 })
    #expect(heard[(80 * 48)...].allSatisfy { $0 == 0 })
  }

  /// What is planned for 1.52 s and called off at 1.5 s, which the mixer hears of at 1.54 s.
  @Test(arguments: ["music.pause", "music.stop"]) func whatHasHappenedToTheMusicIsNotCalledOff(_ method: String) throws
  {
    let rig = try rig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    let planned = try HostRig.result(
      rig.ask(method, #"{"atUs":1520000,"fadeUs":10000}"#), MusicScheduled.self)
    let answer = late(rig, by: 40_000, "music.cancel", #"{"plan":\#(planned.plan)}"#)
    #expect(answer.contains(#""kind":"notRunning""#), "\(answer)")
    rig.step(microseconds: 100_000)
    #expect(rig.host.status().music.state == (method == "music.pause" ? .paused : .stopped))
    let lines = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    #expect(!lines.contains { $0.contains("music.cancelled") }, "\(lines)")
    #expect(try fades(rig.heard(), from: 520 * 48, after: 1_000))
  }

  @Test(arguments: ["music.pause", "music.stop"]) func whatIsCalledOffInTimeIsNotHeardOfTheMusic(_ method: String)
    throws
  {
    let rig = try rig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    let planned = try HostRig.result(
      rig.ask(method, #"{"atUs":1520000,"fadeUs":10000}"#), MusicScheduled.self)
    _ = try late(rig, by: 10_000, "music.cancel", #"{"plan":\#(planned.plan)}"#, Empty.self)
    rig.step(microseconds: 100_000)
    #expect(rig.host.status().music.state == .playing)
    #expect(told(rig, "music.cancelled").count == 1)
    #expect(try rig.heard().dropFirst(1_000).allSatisfy { $0 == 0.25 })
  }

  @Test func aTrackThatHasBegunMeanwhileGoesOn() throws {
    let rig = try rig()
    rig.step(microseconds: 500_000)
    let planned = try HostRig.result(
      rig.ask("music.play", #"{"track":"main","atUs":1520000}"#), MusicPlay.Result.self)
    let answer = late(rig, by: 40_000, "music.cancel", #"{"plan":\#(planned.plan)}"#)
    #expect(answer.contains(#""kind":"notRunning""#), "\(answer)")
    rig.step(microseconds: 100_000)
    #expect(told(rig, "music.cancelled").isEmpty)
    let heard = try rig.heard()
    #expect(heard[..<(520 * 48)].allSatisfy { $0 == 0 } && heard[(520 * 48)...].allSatisfy { $0 == 0.25 })
  }

  /// The same track, begun by a cue that is stopped.
  @Test func theTrackOfACueThatHasBegunMeanwhileIsToldAsTooLate() throws {
    let rig = try rig()
    rig.step(microseconds: 500_000)
    let fired = try HostRig.result(rig.ask("cue.fire", #"{"cue":"song","atUs":1520000}"#), CueFire.Result.self)
    let stopped = try late(rig, by: 40_000, "cue.stop", #"{"id":\#(try #require(fired.id))}"#, CueStop.Result.self)
    #expect(stopped.calledOff.isEmpty && stopped.tooLate == ["music.play game:main"])
    rig.step(microseconds: 100_000)
    let heard = try rig.heard()
    #expect(heard[..<(520 * 48)].allSatisfy { $0 == 0 } && heard[(520 * 48)...].allSatisfy { $0 == 0.25 })
  }

  @Test func aChapterIsHeldWhenItIsTold() throws {
    let rig = try rig()
    _ = rig.ask("rhythm.start", #"{"chapter":"one","atUs":1500000}"#)
    rig.step(microseconds: 1_200_000)
    let paused = try late(rig, by: 20_000, "rhythm.pause", "{}", RhythmPause.Result.self)
    // Asked at 2.2 s.
    #expect(paused.pausedUs == 2_221_000 && paused.positionUs == 721_000)
    rig.step(microseconds: 100_000)
    #expect(told(rig, "rhythm.changed").map(\.tUs).last == 2_221_000)
    let heard = try rig.heard()
    let frame = 1_221 * 48
    #expect(heard[(500 * 48 + 1_000)..<frame].allSatisfy { $0 == 0.25 })
    #expect(heard[frame + 1] < 0.25 && heard[(frame + 240)...].allSatisfy { $0 == 0 })
  }

  /// The song has begun by the time at which the mixer hears that it is not to.
  @Test func aChapterWhoseSongHasBegunMeanwhileIsHeldInIt() throws {
    let rig = try rig()
    _ = rig.ask("rhythm.start", #"{"chapter":"one","atUs":1500000}"#)
    rig.step(microseconds: 490_000)
    let paused = try late(rig, by: 30_000, "rhythm.pause", "{}", RhythmPause.Result.self)
    #expect(paused.pausedUs == 1_521_000 && paused.positionUs == 21_000)
    rig.step(microseconds: 100_000)
    let heard = try rig.heard()
    #expect(heard[..<(500 * 48)].allSatisfy { $0 == 0 })
    #expect(heard[(500 * 48)..<(521 * 48)].allSatisfy { $0 == 0.25 })
    #expect(heard[521 * 48 + 1] < 0.25 && heard[(521 * 48 + 240)...].allSatisfy { $0 == 0 })
  }

  /// The song of a chapter fades for half a second.
  @Test func aChapterEndsWhenItIsTold() throws {
    let rig = try rig()
    _ = rig.ask("rhythm.start", #"{"chapter":"one","atUs":1500000}"#)
    rig.step(microseconds: 1_200_000)
    _ = rig.host.takeNotifications()
    let ended = try late(rig, by: 20_000, "rhythm.stop", "{}", RhythmStatus.Result.self)
    #expect(!ended.running)
    rig.step(microseconds: 600_000)
    let lines = rig.host.takeNotifications().map { ($0.tUs, String(decoding: $0.line(seq: 1), as: UTF8.self)) }
    // The chapter is over when that is decided, and its song begins to fade as soon as that can be heard.
    #expect(lines.filter { $0.1.contains("rhythm.complete") }.map(\.0) == [2_220_000])
    #expect(lines.filter { $0.1.contains("music.changed") }.map(\.0) == [2_221_000])
    let heard = try rig.heard()
    let frame = 1_221 * 48
    #expect(heard[(500 * 48 + 1_000)..<frame].allSatisfy { $0 == 0.25 })
    #expect(heard[frame + 480] < 0.25 && heard[(frame + 24_000)...].allSatisfy { $0 == 0 })
  }
}
