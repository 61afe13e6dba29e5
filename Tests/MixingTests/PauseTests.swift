// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// The mixer stands and goes on in place: what is heard is what would have been, with silence between.
@Suite struct PauseTests {
  private static let ramp = 240

  /// What is heard of a scene that stands before `frame` for `length` frames.
  private func heard(
    _ seed: UInt64, standingBefore frame: Int, for length: Int, frames: Int, periods: [Int]
  ) -> (out: [Frame], studio: Studio) {
    let studio = scene(seed: seed)
    #expect(studio.controller.stand(before: Int64(frame)))
    #expect(studio.controller.goOn(afterStanding: Int64(length)))
    return (studio.render(frames + length, periods: periods), studio)
  }

  @Test(arguments: 0..<12 as Range<UInt64>) func withTheSilenceCutOutItIsTheSameToTheBit(_ seed: UInt64) {
    let frames = 9_000
    let unpaused = scene(seed: seed)
    let expected = unpaused.render(frames)
    let at = 700 + 613 * Int(seed)
    let length = [1, 95, 256, 5_001, 48_000][Int(seed) % 5]
    let periods = [[256], [1, 7, 64], [500], [8_192]][Int(seed) % 4]
    let (out, studio) = heard(seed, standingBefore: at, for: length, frames: frames, periods: periods)
    for frame in 0..<Self.ramp {
      let down = Float(Oracle.linear(1, 0, frame, of: Self.ramp))
      let up = Float(Oracle.linear(0, 1, frame, of: Self.ramp))
      #expect(abs(out[at - Self.ramp + frame].left - down * expected[at - Self.ramp + frame].left) < 1e-6)
      #expect(abs(out[at + length + frame].left - up * expected[at + frame].left) < 1e-6)
    }
    #expect(out[at..<at + length].allSatisfy { $0 == Frame(left: 0, right: 0) })
    #expect(Array(out[..<(at - Self.ramp)]) == Array(expected[..<(at - Self.ramp)]))
    #expect(Array(out[(at + length + Self.ramp)...]) == Array(expected[(at + Self.ramp)...]))
    #expect(studio.controller.outputFrame == Int64(frames + length))
    #expect(studio.controller.mixedFrame == unpaused.controller.mixedFrame)
    #expect(Set(studio.events.map { "\($0)" }) == Set(unpaused.events.map { "\($0)" }))
  }

  @Test func itStandsForAsLongAsNobodySaysWhenToGoOn() {
    let studio = Studio()
    studio.start(studio.counter(frames: 100_000), at: 0)
    _ = studio.controller.stand(before: 1_000)
    let out = studio.render(20_000, periods: [100])
    #expect(out[1_000...].allSatisfy { $0.left == 0 && $0.right == 0 })
    #expect(studio.controller.mixedFrame == Int64(1_000 + studio.controller.configuration.lookaheadFrames))
    _ = studio.controller.goOn(afterStanding: 19_500)
    let after = studio.render(2_000)
    #expect(after[..<500].allSatisfy { $0.left == 0 })
    #expect(after[500 + Self.ramp].left == count(1_000 + Self.ramp))
  }

  @Test func pausesFollowEachOther() {
    let studio = Studio()
    studio.start(studio.counter(frames: 100_000), at: 0)
    _ = studio.controller.stand(before: 1_000)
    _ = studio.controller.goOn(afterStanding: 300)
    _ = studio.controller.stand(before: 1_400)
    _ = studio.controller.goOn(afterStanding: 350)
    _ = studio.controller.stand(before: 4_000)
    let out = studio.render(4_000 + 350 + 900, periods: [333])
    #expect(out[1_000..<1_300].allSatisfy { $0.left == 0 })
    #expect(out[1_700..<1_750].allSatisfy { $0.left == 0 })
    #expect(out[2_000].left == count(1_650))
    #expect(out[(4_350)...].allSatisfy { $0.left == 0 })
    #expect(out.largestStep < count(4_000) / 240 + 0x1p-19)
  }

  @Test func onePastItsFrameStandsAsSoonAsItHasFadedAndForAsLong() {
    let studio = Studio()
    studio.start(studio.counter(frames: 100_000), at: 0)
    _ = studio.render(512)
    _ = studio.controller.stand(before: 100)
    _ = studio.controller.goOn(afterStanding: 1_000)
    let out = studio.render(3_000)
    #expect(out[240..<1_240].allSatisfy { $0.left == 0 })
    #expect(out[239].left > 0)
    #expect(out[1_240 + Self.ramp].left == count(512 + 240 + Self.ramp))
  }

  @Test func oneThatGoesOnTooLatePassesOverWhatShouldHaveBeenHeard() {
    let studio = Studio()
    studio.start(studio.counter(frames: 100_000), at: 0)
    _ = studio.controller.stand(before: 512)
    _ = studio.render(2_048)
    _ = studio.controller.goOn(afterStanding: 1_000)
    let out = studio.render(1_000)
    #expect(out[Self.ramp].left == count(2_048 - 1_000 + Self.ramp))
    #expect(studio.controller.outputFrame == 3_048)
  }

  @Test func framesThatNobodyHearsAreStoodThroughToo() {
    let studio = Studio()
    studio.start(studio.counter(frames: 100_000), at: 0)
    _ = studio.controller.stand(before: 1_000)
    _ = studio.controller.goOn(afterStanding: 5_000)
    studio.skip(3_000)
    #expect(studio.render(1_000).allSatisfy { $0.left == 0 })
    studio.skip(3_000)
    #expect(studio.controller.outputFrame == 7_000)
    #expect(studio.render(500)[Self.ramp].left == count(2_000 + Self.ramp))
  }

  @Test func whatIsTakenBackMeanwhileIsToldAndMakesRoom() {
    let studio = Studio(MixerConfiguration(commandCapacity: 32))
    _ = studio.controller.stand(before: 300)
    _ = studio.render(1_000)
    let mixed = Int64(300 + studio.controller.configuration.lookaheadFrames)
    for _ in 0..<100 {
      let voice = studio.start(studio.constant(0.5), at: 900)
      #expect(studio.submit(.retract(voice, from: 0)))
      _ = studio.render(10)
      #expect(studio.events.contains(.finished(voice, at: mixed, .cancelled)))
    }
    #expect(studio.controller.room == 32)
  }

  @Test func noMorePausesAreTakenThanThereIsRoomFor() {
    let studio = Studio()
    var taken = 0
    while taken < 100, studio.controller.stand(before: 9_000), studio.controller.goOn(afterStanding: 0) { taken += 1 }
    #expect(taken == MixerController.mostPauses)
  }
}
