// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Outcomes
import Testing
import Timing

@testable import Engine
@testable import Wire

/// Every method that takes `atUs` takes it up to an hour ahead of now, and no farther.
@Suite struct FarthestInstantTests {
  private static let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private static func ask(_ method: String, _ atUs: Int64, in fixture: inout EngineFixture) throws {
    let sound = { (fixture: inout EngineFixture) in
      try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "word", loop: true), by: me).id)
    }
    let player = { (fixture: inout EngineFixture) in
      try #require(try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", loop: true), by: me).player)
    }
    switch method {
    case SoundPlay.name: _ = try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: atUs), by: me)
    case SoundSet.name:
      let id = try sound(&fixture)
      _ = try fixture.engine.setSound(SoundSet.Params(id: id, pan: 1, atUs: atUs), by: me)
    case SoundStop.name: _ = try fixture.engine.stopSound(SoundStop.Params(atUs: atUs), by: me)
    case MusicPlay.name: _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: atUs), by: me)
    case MusicSeek.name: _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 0, atUs: atUs), by: me)
    case MusicStop.name: _ = try fixture.engine.stopMusic(FadeParams(atUs: atUs), by: me)
    case MusicPause.name: _ = try fixture.engine.pauseMusic(FadeParams(atUs: atUs), by: me)
    case MusicResume.name: _ = try fixture.engine.resumeMusic(FadeParams(atUs: atUs), by: me)
    case MusicGain.name: _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 1, atUs: atUs), by: me)
    case HapticsPlay.name: _ = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: atUs), by: me)
    case HapticsTransient.name: _ = try fixture.engine.playTransient(HapticsTransient.Params(atUs: atUs), by: me)
    case HapticsContinuous.name:
      _ = try fixture.engine.playContinuous(HapticsContinuous.Params(durationUs: 1, atUs: atUs), by: me)
    case HapticsStop.name: _ = try fixture.engine.stopHaptics(HapticsStop.Params(atUs: atUs), by: .daemon)
    case HapticsPause.name:
      let id = try player(&fixture)
      _ = try fixture.engine.pauseHaptics(PlayerParams(player: id, atUs: atUs), by: .daemon)
    case HapticsResume.name:
      let id = try player(&fixture)
      _ = try fixture.engine.resumeHaptics(PlayerParams(player: id, atUs: atUs), by: .daemon)
    case HapticsSeek.name:
      let id = try player(&fixture)
      _ = try fixture.engine.seekHaptics(HapticsSeek.Params(player: id, positionUs: 0, atUs: atUs), by: .daemon)
    case HapticsSet.name:
      let id = try player(&fixture)
      _ = try fixture.engine.setHaptics(HapticsSet.Params(player: id, mute: true, atUs: atUs), by: .daemon)
    case HapticsSendParameters.name:
      let id = try player(&fixture)
      _ = try fixture.engine.sendParameters(
        HapticsSendParameters.Params(player: id, intensity: 1, atUs: atUs), by: .daemon)
    case HapticsScheduleCurve.name:
      let id = try player(&fixture)
      let points = [HapticsScheduleCurve.Point(timeUs: 0, value: 1)]
      _ = try fixture.engine.scheduleCurve(
        HapticsScheduleCurve.Params(player: id, control: .intensity, points: points, atUs: atUs), by: .daemon)
    case CueFire.name: _ = try fixture.engine.fireCue(CueFire.Params(cue: "tap", atUs: atUs), by: me)
    case ParameterSet.name:
      _ = try fixture.engine.setParameter(ParameterSet.Params(parameter: "low", value: 1, atUs: atUs), by: me)
    case RhythmStart.name: _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap", atUs: atUs), by: me)
    default: Issue.record("\(method) takes atUs, and is not asked for here")
    }
  }

  private static var methods: [String] {
    // A tap is of the past.
    var names: [String] = []
    for method in allMethods where method.takesInstant && method.name != RhythmTap.name { names.append(method.name) }
    return names
  }

  @Test(arguments: Self.methods)
  func anInstantIsAtMostAnHourAhead(method: String) throws {
    let hour: Int64 = 3_600_000_000
    for (ahead, isTaken) in [(hour, true), (hour + 1, false), (.max - 1_000_000, false)] as [(Int64, Bool)] {
      var fixture = try EngineFixture(
        cues: #""tap": {"steps": [{"sound": "click"}]}"#,
        parameters: #""low": {"targets": [{"bus": "sound", "gain": {"power": 1}}]}"#)
      _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: Self.me)
      do throws(any Error) {
        try Self.ask(method, 1_000_000 + ahead, in: &fixture)
        #expect(isTaken, "\(ahead)")
      } catch let error as RPCError {
        #expect(!isTaken && error.message.contains("more than an hour ahead"), "\(ahead): \(error)")
      }
    }
    #expect(Self.methods.count == 22)
  }

  @Test func soIsEachStepOfACueAndOneThatIsFartherIsSkippedAndTold() throws {
    var fixture = try EngineFixture(
      cues: #""tap": {"steps": [{"sound": "click"}, {"at": 86400, "sound": "click"}, {"at": 3500, "sound": "word"}]}"#)
    for _ in 0..<100 {
      let fired = try fixture.engine.fireCue(CueFire.Params(cue: "tap"), by: Self.me)
      #expect(
        fired.skipped == [
          CueSkip(
            .tooFar, step: "sound game:click", reason: "a step 86400.0 s after the cue is more than an hour ahead")
        ])
    }
    // Fired so late that its second sound is too far too.
    let late = try fixture.engine.fireCue(CueFire.Params(cue: "tap", atUs: 200_000_000), by: Self.me)
    #expect(late.skipped.count == 2)
    // The third steps of a hundred; the sounds for now are not planned any more.
    #expect(fixture.engine.holdings["plans"] == 101)
  }

  /// Steps of every kind 3,500 s behind a cue that is fired for 100 s ahead are an hour ahead, and a microsecond later are more.
  @Test(arguments: [0, 1, 100_000] as [Int64])
  func aStepOfAnyKindIsAnHourAheadAtMostToTheMicrosecond(moreUs: Int64) throws {
    let kinds = [
      #""sound": "click""#, #""pattern": "thud""#, #""transient": {"intensity": 1, "sharpness": 1}"#,
      #""music": {"play": "other"}"#, #""music": {"stop": true}"#, #""parameter": "low", "value": 1"#,
      #""stop": {"sound": "click"}"#, #""stop": {"pattern": "thud"}"#,
    ]
    let steps = kinds.map { #"{"at": 3500, \#($0)}"# }.joined(separator: ", ")
    var fixture = try EngineFixture(
      cues: #""tap": {"steps": [{"sound": "word"}, \#(steps)]}"#,
      parameters: #""low": {"targets": [{"bus": "sound", "gain": {"power": 1}}]}"#)
    let atUs = 1_000_000 + 100_000_000 + moreUs
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "tap", atUs: atUs), by: Self.me)
    let tooFar = "a step 3500.0 s after the cue is more than an hour ahead"
    #expect(fired.skipped.map(\.reason) == Array(repeating: tooFar, count: moreUs == 0 ? 0 : kinds.count))
  }

  /// Fired for as soon as can be, 10 ms ahead, a cue has as much less to its last step.
  @Test(arguments: [(3599.99, true), (3599.990001, false)] as [(Double, Bool)])
  func aStepOfACueForNowIsAnHourAheadAtMost(at: Double, isTaken: Bool) throws {
    var fixture = try EngineFixture(
      cues: #""tap": {"steps": [{"sound": "word"}, {"at": \#(at), "sound": "click"}]}"#)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "tap"), by: Self.me)
    #expect(fired.skipped.isEmpty == isTaken)
  }

  /// However a cue comes by its instant: behind another that is itself far ahead.
  @Test(arguments: [(0, true), (1, false)] as [(Int64, Bool)])
  func whatComesBehindAFiringIsAnHourAheadAtMost(moreUs: Int64, isTaken: Bool) throws {
    var fixture = try EngineFixture(cues: #""tap": {"steps": [{"sound": "click"}]}"#)
    let first = CueFire.Params(cue: "tap", atUs: 101_000_000, tag: "first")
    _ = try fixture.engine.fireCue(first, by: Self.me)
    let behind = CueFire.Params(cue: "tap", after: "first", afterUs: 3_500_000_000 + moreUs)
    do throws(RPCError) {
      _ = try fixture.engine.fireCue(behind, by: Self.me)
      #expect(isTaken)
    } catch {
      #expect(!isTaken && error.message.contains("more than an hour ahead"), "\(error)")
    }
  }
}

extension WireMethod {
  fileprivate static var takesInstant: Bool { Schema(of: Params.self).fields.contains { $0.name == "atUs" } }
}
