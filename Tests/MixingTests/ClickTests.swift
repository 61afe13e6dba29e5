// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// On DC 0.5 whatever the mixer does to a gain shows as a step between samples: none above 0.005 (5 ms make 0.0021).
@Suite struct ClickTests {
  private let short = Fade.declick(rate: 48_000)

  @Test func stoppingFadesOverFiveMilliseconds() {
    let studio = Studio()
    let id = studio.start(studio.constant(0.5), at: 0)
    studio.submit(.stop(id, at: 1_000, fade: short))
    let out = studio.render(2_000)
    #expect(Array(out[1_000...]).largestStep <= 0.0021)
    for frame in 0..<300 {
      #expect(abs(Double(out[1_000 + frame].left) - 0.5 * Oracle.linear(1, 0, frame, of: 240)) < 1e-7)
    }
    #expect(studio.events.last == .finished(id, at: 1_240, .stopped))
  }

  @Test func pausingKeepsThePlaceAndResumingGoesOnFromIt() {
    let studio = Studio()
    let id = studio.start(studio.counter(frames: 5_000), on: .music, at: 0)
    studio.submit(.pause(id, at: 1_000, fade: short), .resume(id, at: 3_000, fade: short))
    let out = studio.render(8_000)
    #expect(out[999].left == count(999))
    #expect(out[1_240..<3_000].allSatisfy { $0 == Frame(left: 0, right: 0) })
    #expect(out[1_239].left > 0)
    // At 3000 it goes on with frame 1240, and has its whole gain 240 frames later.
    for frame in 0..<240 {
      let expected = Oracle.linear(0, 1, frame, of: 240) * Double(count(1_240 + frame))
      #expect(abs(Double(out[3_000 + frame].left) - expected) < 1e-8)
    }
    #expect(out[3_240].left == count(1_480))
    #expect(studio.events.last == .finished(id, at: 5_000 + 3_000 - 1_240, .ended))
  }

  @Test func aPauseTakenBackHalfWayNeverSteps() {
    let studio = Studio()
    let id = studio.start(studio.constant(0.5), at: 0)
    studio.submit(.pause(id, at: 1_000, fade: short), .resume(id, at: 1_100, fade: short))
    let out = Array(studio.render(2_000)[1...])
    #expect(out.largestStep <= 0.0021)
    #expect(out.last == Frame(left: 0.5, right: 0.5))
  }

  @Test func gainsPansAndBusesMoveWithoutAStep() {
    let studio = Studio()
    let id = studio.start(studio.constant(0.5), at: 0)
    studio.submit(
      .gain(id, to: 0.25, at: 500, fade: short), .pan(id, to: -1, at: 600),
      .busGain(.sound, to: 0, at: 700, fade: short),
      .pan(id, to: 1, at: 800), .gain(id, to: 1, at: 900, fade: short), .busGain(.sound, to: 1, at: 950, fade: short))
    let out = Array(studio.render(2_000)[1...])
    #expect(out.largestStep > 0 && out.largestStep <= 0.005)
  }

  @Test func aBurstOf64StartsStealsWithoutAStep() {
    let studio = Studio()
    let dc = studio.constant(0.5 / 64)
    let old = (0..<64).map { _ in studio.start(dc, at: 0) }
    let rising = Fade(frames: 240)
    let young = (0..<64).map { _ in studio.start(dc, at: 1_000, fadeIn: rising) }
    let out = Array(studio.render(3_000)[1...])
    #expect(out.largestStep < 1e-5)
    #expect(out.peak <= 0.5 + 1e-6)
    for id in old { #expect(studio.events.contains(.finished(id, at: 1_240, .stolen))) }
    for id in young { #expect(studio.events.contains(.started(id, at: 1_000))) }
    #expect(studio.controller.readStatistics().activeVoices == 64)
  }
}
