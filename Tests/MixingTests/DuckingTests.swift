// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// Music at 0.5 shows what a bus is turned down to; what turns it down makes no sound here.
@Suite struct DuckingTests {
  private let studio = Studio()
  private let rule = DuckRule(.music, depth: 0.25, attack: 480, hold: 1_000, release: 2_400)

  init() { studio.start(studio.constant(0.5), on: .music, at: 0) }

  private func silence(frames: Int, loops: Bool = false) -> ResidentSource {
    studio.source(frames: frames, loop: loops ? 0..<frames : nil) { _ in Frame(left: 0, right: 0) }
  }

  /// Down from `from` on, back from `to` on.
  private func expectDip(_ out: [Frame], from: Int, to: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    let difference = out.enumerated().first { frame, value in
      let gain =
        frame < to ? Oracle.linear(1, 0.25, frame - from, of: 480) : Oracle.linear(0.25, 1, frame - to, of: 2_400)
      return abs(Double(value.left) - 0.5 * gain) > 1e-6
    }
    #expect(difference == nil, sourceLocation: sourceLocation)
  }

  @Test func aBusIsDownForAsLongAsTheSoundLastsAndTheHoldAfterIt() {
    studio.start(silence(frames: 3_000), at: 2_000, ducking: rule)
    expectDip(studio.render(10_000), from: 2_000, to: 6_000)
  }

  @Test func aLoopKeepsABusDownUntilTheFadeOfItsStopIsOver() {
    let voice = studio.start(silence(frames: 300, loops: true), at: 2_000, ducking: rule)
    studio.submit(.stop(voice, at: 9_000, fade: Fade(frames: 700)))
    expectDip(studio.render(15_000), from: 2_000, to: 10_700)
  }

  @Test func aPitchedSoundAndOneThatPassesUnheardEndWhereTheyEnd() {
    studio.start(silence(frames: 3_000), at: 2_000, pitch: 0.5, ducking: rule)
    var out = studio.render(2_600)
    studio.skip(3_000)
    out += [Frame](repeating: Frame(left: 0.125, right: 0.125), count: 3_240) + studio.render(10_000).dropFirst(240)
    expectDip(out, from: 2_000, to: 9_000)
  }

  @Test func aStolenSoundDucksToTheEndOfItsFade() {
    let studio = Studio(MixerConfiguration(effectVoices: 1))
    studio.start(studio.constant(0.5), on: .music, at: 0)
    let dc = studio.constant(0)
    studio.start(dc, at: 2_000, ducking: rule)
    studio.start(dc, at: 4_000)
    expectDip(studio.render(10_000), from: 2_000, to: 4_000 + 240 + 1_000)
  }

  @Test func whatNeverBeginsNeverDucks() {
    let dc = silence(frames: 100, loops: true)
    let (stopped, taken, empty) = (
      studio.start(dc, at: 2_000, ducking: rule), studio.start(dc, at: 2_000, ducking: rule),
      studio.start(dc, at: 2_000, ducking: rule)
    )
    studio.submit(
      .stop(stopped, at: 1_000, fade: .none), .retract(taken, from: 0), .stop(empty, at: 2_000, fade: .none))
    studio.start(silence(frames: 0), at: 3_000, ducking: rule)
    #expect(studio.render(5_000).allSatisfy { $0.left == 0.5 })
  }

  @Test func aBusComesBackAfterTheLastOfSeveral() {
    // The first to begin is the last to end, and lies in the first slot.
    studio.start(silence(frames: 5_000), at: 2_000, ducking: rule)
    studio.start(silence(frames: 1_000), at: 2_500, ducking: rule)
    studio.start(silence(frames: 2_995), on: .voice, at: 4_000, ducking: rule)
    expectDip(studio.render(12_000), from: 2_000, to: 8_000)
  }

  @Test func aSoundWithinTheHoldKeepsTheBusDown() {
    studio.start(silence(frames: 1_000), at: 2_000, ducking: rule)
    studio.start(silence(frames: 1_000), at: 3_999, ducking: rule)
    expectDip(studio.render(12_000), from: 2_000, to: 5_999)
  }

  /// Also where a block of the device ends just there.
  @Test(arguments: [12_000, 4_000]) func aSoundThatBeginsWhereTheBusWouldComeBackKeepsItDown(first: Int) {
    let rule = DuckRule(.music, depth: 0.25, attack: 480, hold: 1_000, release: 0)
    studio.start(silence(frames: 1_000), at: 2_000, ducking: rule)
    studio.start(silence(frames: 1_000), at: 4_000, ducking: rule)
    let out = studio.render(first) + studio.render(12_000 - first)
    #expect(out[2_480..<6_000].allSatisfy { $0.left == 0.125 } && out[6_000].left == 0.5)
  }

  @Test func aSoundDuringTheReleaseTurnsDownFromWhereTheBusIs() {
    studio.start(silence(frames: 1_000), at: 2_000, ducking: rule)
    studio.start(silence(frames: 1_000), at: 5_200, ducking: rule)
    let out = studio.render(12_000)
    // Half way back, at 0.625, it goes down again, and is there 480 frames later.
    #expect(abs(out[5_200].left - 0.3125) < 1e-6 && abs(out[5_440].left - 0.21875) < 1e-6)
    #expect(out[5_680].left == 0.125 && out[7_200].left == 0.125 && out[7_201].left > 0.125)
  }

  @Test func aPausedSoundDoesNotDuck() {
    let voice = studio.start(silence(frames: 100, loops: true), at: 2_000, ducking: rule)
    studio.submit(.pause(voice, at: 4_000, fade: Fade(frames: 240)))
    let planned = studio.start(silence(frames: 100, loops: true), at: 3_000, ducking: rule)
    studio.submit(.pause(planned, at: 100, fade: .none))
    expectDip(studio.render(9_000), from: 2_000, to: 5_240)
    studio.submit(.resume(voice, at: 10_000, fade: .none), .stop(planned, at: 10_500, fade: .none))
    let out = studio.render(20_000)
    #expect(out[1_000].left == 0.5 && out[1_240].left == 0.3125 && out[19_999].left == 0.125)
  }

  @Test func aMutedBusDoesNotDuck() {
    let voice = studio.start(silence(frames: 100, loops: true), on: .voice, at: 2_000, ducking: rule)
    studio.submit(
      .busGain(.voice, to: 0, at: 5_000, fade: Fade(frames: 960)), .busGain(.sound, to: 0, at: 0, fade: .none))
    studio.start(silence(frames: 100, loops: true), at: 100, ducking: rule)
    expectDip(studio.render(10_000), from: 2_000, to: 6_960)
    // The switch back on, the music steps back at once; a stop while it is off changes nothing.
    studio.submit(
      .busGain(.voice, to: 1, at: 11_000, fade: Fade(frames: 960)), .busGain(.voice, to: 0, at: 20_000, fade: .none),
      .stop(voice, at: 23_000, fade: .none), .busGain(.voice, to: 1, at: 28_000, fade: .none))
    let out = studio.render(20_000)
    #expect(out[1_000].left == 0.5 && out[1_240].left == 0.3125 && out[11_000].left == 0.125)
    #expect(out[11_001].left > 0.125 && out[13_400...].allSatisfy { $0.left == 0.5 })
  }

  @Test func ofSeveralRulesTheOneThatWantsABusLowestActs() {
    let (quick, slow) = (
      DuckRule(.music, depth: 0.5, attack: 100, hold: 0, release: 1_000),
      DuckRule(.music, depth: 0.25, attack: 2_000, hold: 0, release: 100)
    )
    studio.start(silence(frames: 6_000), at: 1_000, ducking: quick)
    studio.start(silence(frames: 4_000), at: 1_000, ducking: slow)
    studio.start(
      silence(frames: 3_000), at: 2_000, ducking: DuckRule(.haptic, depth: 0, attack: 0, hold: 0, release: 0))
    let out = studio.render(10_000)
    let difference = out.enumerated().first { frame, value in
      let first =
        frame < 7_000 ? Oracle.linear(1, 0.5, frame - 1_000, of: 100) : Oracle.linear(0.5, 1, frame - 7_000, of: 1_000)
      let second =
        frame < 5_000
        ? Oracle.linear(1, 0.25, frame - 1_000, of: 2_000) : Oracle.linear(0.25, 1, frame - 5_000, of: 100)
      return abs(Double(value.left) - 0.5 * min(first, second)) > 1e-6
    }
    #expect(difference == nil)
  }
}
