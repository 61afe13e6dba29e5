// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import Mixing

/// Frames that pass at rest are as if they had been rendered: nothing that comes after them can tell.
@Suite struct RestTests {
  private func calm(_ studio: Studio) -> Int64 { studio.controller.mixer.pointee.calmFrames }

  /// Renders `frames` frames in periods of `period`; those that it can it lets pass at rest. How many those were.
  private func restOrRender(_ studio: Studio, _ frames: Int, period: Int, into out: inout [Frame]) -> Int {
    var (done, rested) = (0, 0)
    while done < frames {
      let count = min(period, frames - done)
      let mixer = studio.controller.mixer
      if !mixer.pointee.hasWork, mixer.pointee.calmFrames >= Int64(count) {
        mixer.pointee.rest(frames: Int64(count))
        out += [Frame](repeating: Frame(left: 0, right: 0), count: count)
        rested += count
      } else {
        out += studio.render(count)
      }
      done += count
    }
    return rested
  }

  /// Asks both studios for the same, drawn from `numbers`.
  private func ask(_ studios: [Studio], _ numbers: inout SeededRandom, stood: inout Int64) {
    let reach = studios[0].controller.mixedFrame
    let at = reach + Int64.random(in: -100...4_000, using: &numbers)
    let fade = Fade(frames: Int32.random(in: 0...3_000, using: &numbers), curve: .equalPower)
    let pitch = Float.random(in: 0.5...2, using: &numbers)
    let (kind, loud) = (Int.random(in: 0..<9, using: &numbers), Float.random(in: 0...1.2, using: &numbers))
    if kind == 8 { stood += 777 }
    for studio in studios {
      switch kind {
      case 0, 1: studio.start(studio.counter(frames: 3_000), at: at, pitch: pitch)
      case 2:
        let voice = studio.start(studio.constant(loud), on: .music, at: at)
        studio.submit(.stop(voice, at: at + 2_000, fade: fade))
      case 3: studio.submit(.busGain(.music, to: loud > 0.6 ? 0 : loud, at: at, fade: fade))
      case 4: studio.submit(.busGain(.music, to: 1, at: at, fade: fade))
      case 5: studio.submit(.drive(.lowPass(.sound), to: loud > 0.6 ? -4 : 0, at: at, fade: fade))
      case 6:
        let rule = DuckRule(.music, depth: 0.5, attack: 500, hold: 400, release: 3_000)
        studio.start(studio.counter(frames: 1_000), at: at, ducking: rule)
      case 7: studio.submit(.drive(.busGain(.sound), to: loud, at: at, fade: fade))
      default:
        _ = studio.controller.stand(before: at)
        _ = studio.controller.goOn(afterStanding: stood)
      }
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>) func aRunThatRestsIsARunThatDoesNot(seed: UInt64) {
    let (rendering, resting) = (Studio(), Studio())
    var numbers = SeededRandom(seed: seed)
    var (expected, out) = ([Frame](), [Frame]())
    var rested = 0
    var stood: Int64 = 0
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 0...2, using: &numbers) { ask([rendering, resting], &numbers, stood: &stood) }
      let frames = Int.random(in: 1...20_000, using: &numbers)
      expected += rendering.render(frames, periods: [128])
      rested += restOrRender(resting, frames, period: 128, into: &out)
      #expect(resting.controller.mixedFrame == rendering.controller.mixedFrame)
      #expect(resting.controller.outputFrame == rendering.controller.outputFrame)
      #expect(resting.controller.room == rendering.controller.room)
    }
    #expect(out == expected)
    #expect(resting.events == rendering.events)
    #expect(rested > 20_000)
    #expect(expected.peak > 0.001)
  }

  @Test func aLongRestEndsAtItsFrame() {
    let studio = Studio()
    _ = studio.render(8_192)
    let mixer = studio.controller.mixer
    #expect(calm(studio) == .max)
    mixer.pointee.rest(frames: 48_000 * 3_600 * 24)
    let reach = studio.controller.mixedFrame
    studio.start(studio.constant(0.5), at: reach + 7)
    let out = studio.render(200)
    let lead = studio.controller.configuration.lookaheadFrames
    #expect(out.prefix(lead + 7).allSatisfy { $0.left == 0 })
    #expect(out.dropFirst(lead + 7).allSatisfy { $0.left == 0.5 })
  }

  @Test func whatIsPlannedBoundsIt() {
    let studio = Studio()
    _ = studio.render(8_192)
    let reach = studio.controller.mixedFrame
    studio.start(studio.constant(0.5), at: reach + 5_000)
    let mixer = studio.controller.mixer
    // What it has not taken it does not know; who rests looks for that.
    let before = mixer.pointee.hasWork
    _ = studio.render(1_000)
    let after = mixer.pointee.hasWork
    #expect([before, after] == [true, false])
    #expect(calm(studio) == 4_000)
    mixer.pointee.rest(frames: 4_000)
    #expect(calm(studio) == 0)
  }

  @Test func whatSoundsOrMovesDoesNotRest() {
    let playing = Studio()
    let voice = playing.start(playing.constant(0.1), at: 0)
    _ = playing.render(8_192)
    #expect(calm(playing) == 0)
    playing.submit(.pause(voice, at: 0, fade: .none))
    _ = playing.render(8_192)
    #expect(calm(playing) == 0)

    let skipped = Studio()
    _ = skipped.render(8_192)
    skipped.skip(1_000)
    #expect(calm(skipped) == 0)
  }

  @Test func whatStandsIsAsWhereItWas() {
    let (rendering, resting) = (Studio(), Studio())
    for studio in [rendering, resting] {
      studio.start(studio.counter(frames: 100_000), at: 0)
      _ = studio.controller.stand(before: 1_000)
      _ = studio.render(1_024)
    }
    #expect(calm(resting) == .max)
    resting.controller.mixer.pointee.rest(frames: 4_096)
    _ = rendering.render(4_096)
    for studio in [rendering, resting] {
      #expect(studio.controller.outputFrame == 5_120)
      #expect(studio.controller.mixedFrame == Int64(1_000 + studio.controller.configuration.lookaheadFrames))
      _ = studio.controller.goOn(afterStanding: 5_000)
    }
    let expected = rendering.render(3_000)
    #expect(resting.render(3_000) == expected)
    #expect(expected.peak > 0)
    #expect(calm(resting) == 0)
  }
}
