// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// What the mixer is told that nobody was asked to wait for: what is called off, what ends with it, and what comes due.
@Suite struct UnaskedStepsTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)

  private func commands(_ fixture: inout EngineFixture) -> [MixerCommand] {
    fixture.engine.takeActions().audio.compactMap { if case .command(let command) = $0 { command } else { nil } }
  }

  /// An engine that has told the mixer of clicks that begin in 90 ms, and how many.
  private func planned() throws -> (fixture: EngineFixture, count: Int) {
    var fixture = try EngineFixture()
    while (try? fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 1_090_000), by: me)) != nil {}
    let count = fixture.engine.takeActions().soundStarts.count
    #expect(count > 100)
    return (fixture, count)
  }

  @Test func whatIsCalledOffIsTakenBackOnceHoweverOftenThatIsAsked() throws {
    var (fixture, count) = try planned()
    var told: [MixerCommand] = []
    for _ in 0..<40 {
      _ = try? fixture.engine.stopSound(SoundStop.Params(), by: me)
      told += commands(&fixture)
    }
    #expect(told.count { if case .retract = $0 { true } else { false } } == count)
    #expect(told.count <= count + 40)
  }

  /// Nor is the mixer told to end what it lets go of.
  @Test func aSoundThatIsCalledOffIsToldInOneCommand() throws {
    var fixture = try EngineFixture()
    let sound = try #require(
      try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 1_090_000), by: me).id)
    _ = fixture.engine.takeActions()
    for _ in 0..<3 { _ = try fixture.engine.stopSound(SoundStop.Params(id: sound), by: me) }
    #expect(commands(&fixture).count == 1)
  }

  @Test func aCueThatIsStoppedTellsOnceOfEachSoundThatTheMixerKnows() throws {
    let steps = (0..<20).map { _ in #"{"sound": "click"}"# }.joined(separator: ", ")
    var fixture = try EngineFixture(cues: #""many": {"steps": [\#(steps)]}"#)
    var cues: [Int64] = []
    for _ in 0..<30 {
      if let cue = try? fixture.engine.fireCue(CueFire.Params(cue: "many", atUs: 1_090_000), by: me).id {
        cues.append(cue)
      }
    }
    let known = fixture.engine.takeActions().soundStarts.count
    #expect(known > 100)
    for cue in cues { _ = try fixture.engine.stopCue(CueStop.Params(id: cue), by: me) }
    #expect(commands(&fixture).count == known)
  }

  /// Verbs of many clients for one instant come due at once, each with all tracks that fade out.
  @Test func musicThatComesDueIsToldAFewHundredStepsAtATime() throws {
    var fixture = try EngineFixture()
    try fixture.fillMusic(by: me)
    let due = fixture.output.now.microseconds + 1_000_000
    var granted = 0
    for number in 0..<160 as Range<Int64> {
      let cause = Cause(client: ClientID(rawValue: UInt64(1 + number / 4)), user: 1)
      let params = FadeParams(atUs: due + 5 * number, fadeUs: 5_000)
      let verb =
        number % 2 == 0
        ? try? fixture.engine.pauseMusic(params, by: cause) : try? fixture.engine.resumeMusic(params, by: cause)
      if verb != nil { granted += 1 }
    }
    #expect(granted > 100)
    _ = fixture.run(to: due - 200_000)
    var most = 0
    var all = 0
    while fixture.output.now.microseconds < due + 200_000 {
      let told = fixture.run(to: fixture.output.now.microseconds + 2_000).audio.count
      (most, all) = (max(most, told), all + told)
    }
    #expect(all > 576)
    // And what the last verb has told of up to 16 tracks.
    #expect(most <= 608)
  }
}
