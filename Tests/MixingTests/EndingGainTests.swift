// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// The gain of a voice that is on its way out: it and what is left of the voice are two factors.
@Suite struct EndingGainTests {
  private let studio = Studio()

  /// What is heard of DC 0.5, by its gain and what is left of it, frame by frame.
  private func expect(_ out: [Frame], _ frames: Range<Int>, by gain: (Int) -> Double) {
    for frame in frames where abs(Double(out[frame].left) - 0.5 * gain(frame)) > 1e-6 {
      Issue.record("frame \(frame): \(out[frame].left), and not \(0.5 * gain(frame))")
      return
    }
  }

  @Test func aGainThatIsSetDuringTheFadeIsReachedAndEndsNothing() {
    let voice = studio.start(studio.constant(0.5), at: 0)
    studio.submit(
      .end(voice, at: 1_000, fade: Fade(frames: 4_000)), .gain(voice, to: 0.25, at: 2_000, fade: Fade(frames: 480)),
      .gain(voice, to: 0, at: 3_000, fade: Fade(frames: 240)), .gain(voice, to: 1, at: 4_000, fade: Fade(frames: 240)))
    let out = studio.render(6_000)
    expect(out, 1_000..<6_000) { frame in
      let gain =
        Oracle.linear(1, 0.25, frame - 2_000, of: 480) - Oracle.linear(0, 0.25, frame - 3_000, of: 240)
        + Oracle.linear(0, 1, frame - 4_000, of: 240)
      return gain * Oracle.linear(1, 0, frame - 1_000, of: 4_000)
    }
    #expect(studio.events.last == .finished(voice, at: 5_000, .stopped))
  }

  @Test func aRampThatIsUnderWayGoesOn() {
    let voice = studio.start(studio.constant(0.5), at: 0, gain: 0.25)
    studio.submit(
      .gain(voice, to: 1, at: 500, fade: Fade(frames: 2_000)), .end(voice, at: 1_000, fade: Fade(frames: 3_000)))
    let out = studio.render(5_000)
    expect(out, 0..<5_000) { frame in
      Oracle.linear(0.25, 1, frame - 500, of: 2_000) * Oracle.linear(1, 0, frame - 1_000, of: 3_000)
    }
    #expect(studio.events.last == .finished(voice, at: 4_000, .stopped))
  }

  /// Also where it is turned up by much, just before it is over.
  @Test func itIsSilentAtItsEndAndNeverSteps() {
    let voice = studio.start(studio.constant(0.125), at: 0)
    studio.submit(
      .end(voice, at: 1_000, fade: Fade(frames: 2_000)), .gain(voice, to: 4, at: 2_900, fade: Fade(frames: 240)))
    let out = studio.render(4_000)
    #expect(out[2_999].left < 0.125 / 500 && out[3_000...].allSatisfy { $0.left == 0 })
    #expect(Array(out[1...]).largestStep < 0.001)
    #expect(studio.events.last == .finished(voice, at: 3_000, .stopped))
  }

  @Test func whatWasSilentIsHeardWhereItIsTurnedUpBeforeItsEnd() {
    let voice = studio.start(studio.constant(0.5), at: 0, gain: 0)
    studio.submit(
      .end(voice, at: 1_000, fade: Fade(frames: 2_000)), .gain(voice, to: 1, at: 1_500, fade: Fade(frames: 240)))
    let out = studio.render(4_000)
    expect(out, 0..<4_000) { frame in
      Oracle.linear(0, 1, frame - 1_500, of: 240) * Oracle.linear(1, 0, frame - 1_000, of: 2_000)
    }
    #expect(studio.events.last == .finished(voice, at: 3_000, .stopped))
  }

  /// What is to end comes in no further, however long its fade.
  @Test func whatIsComingInStaysWhereItHasCome() {
    let voice = studio.start(studio.constant(0.5), at: 0, fadeIn: Fade(frames: 4_800))
    studio.submit(.end(voice, at: 480, fade: Fade(frames: 4_800)))
    let out = studio.render(6_000)
    expect(out, 480..<6_000) { frame in 0.1 * Oracle.linear(1, 0, frame - 480, of: 4_800) }
  }

  /// The sooner of two ends holds, from what is left, and the gain goes on beneath both.
  @Test func aSoonerEndGoesOnFromWhatIsLeft() {
    let voice = studio.start(studio.constant(0.5), at: 0)
    studio.submit(
      .end(voice, at: 1_000, fade: Fade(frames: 8_000)), .gain(voice, to: 0.5, at: 2_000, fade: Fade(frames: 4_000)),
      .end(voice, at: 3_000, fade: Fade(frames: 1_000)), .end(voice, at: 3_100, fade: Fade(frames: 5_000)))
    let out = studio.render(6_000)
    expect(out, 1_000..<6_000) { frame in
      Oracle.linear(1, 0.5, frame - 2_000, of: 4_000) * Oracle.linear(1, 0, min(frame, 3_000) - 1_000, of: 8_000)
        * Oracle.linear(1, 0, frame - 3_000, of: 1_000)
    }
    #expect(studio.events.last == .finished(voice, at: 4_000, .stopped))
  }

  /// A pause stands for both, and both go on behind it.
  @Test func aPauseHoldsTheEndAndTheGain() {
    let voice = studio.start(studio.constant(0.5), at: 0)
    let none = Fade.none
    studio.submit(
      .gain(voice, to: 0, at: 1_000, fade: Fade(frames: 4_000)), .end(voice, at: 1_000, fade: Fade(frames: 2_000)),
      .pause(voice, at: 2_000, fade: none), .resume(voice, at: 4_000, fade: none))
    let out = studio.render(6_000)
    expect(out, 4_000..<6_000) { frame in
      Oracle.linear(1, 0, frame - 3_000, of: 4_000) * Oracle.linear(1, 0, frame - 3_000, of: 2_000)
    }
    #expect(out[2_000..<4_000].allSatisfy { $0.left == 0 })
    #expect(studio.events.last == .finished(voice, at: 5_000, .stopped))
  }

  /// What plays music holds the gain where its fade out begins: the sum of a cross-fade's powers is that of gains in flight.
  @Test func aStopHoldsTheGainWhereItIs() {
    let voice = studio.start(studio.constant(0.5), on: .music, at: 0)
    studio.submit(
      .gain(voice, to: 0, at: 1_000, fade: Fade(frames: 2_000)), .stop(voice, at: 2_000, fade: Fade(frames: 2_000)))
    let out = studio.render(5_000)
    expect(out, 2_000..<5_000) { frame in 0.5 * Oracle.linear(1, 0, frame - 2_000, of: 2_000) }
  }
}
