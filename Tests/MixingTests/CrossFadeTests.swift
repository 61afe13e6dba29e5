// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

@Suite struct CrossFadeTests {
  private let fade = Fade.milliseconds(500, rate: 48_000, curve: .equalPower)

  @Test func twoTonesCrossWithEqualPower() {
    let studio = Studio()
    let a = studio.source(frames: 48_000) { frame in
      Frame(left: Float(Oracle.tone(440, frame)), right: Float(Oracle.tone(550, frame)))
    }
    let b = studio.source(frames: 48_000) { frame in
      Frame(left: Float(Oracle.tone(1_000, frame)), right: Float(Oracle.tone(330, frame)))
    }
    let first = studio.start(a, on: .music, at: 0)
    studio.submit(.stop(first, at: 6_000, fade: fade))
    let second = studio.start(b, on: .music, at: 6_000, fadeIn: fade)
    let out = studio.render(36_000)
    var worst = 0.0
    for (frame, value) in out.enumerated() {
      let down = Oracle.equalPower(1, 0, frame - 6_000, of: 24_000)
      let up = frame < 6_000 ? 0 : Oracle.equalPower(0, 1, frame - 6_000, of: 24_000)
      let left = down * Oracle.tone(440, frame) + up * Oracle.tone(1_000, frame - 6_000)
      let right = down * Oracle.tone(550, frame) + up * Oracle.tone(330, frame - 6_000)
      worst = max(worst, abs(Double(value.left) - left), abs(Double(value.right) - right))
    }
    #expect(worst < 2e-6)
    #expect(
      studio.events == [.started(first, at: 0), .started(second, at: 6_000), .finished(first, at: 30_000, .stopped)])
  }

  @Test func aLinearCrossFadeOfOneTrackIntoItselfIsUnheard() {
    let studio = Studio()
    let fade = Fade.milliseconds(500, rate: 48_000)
    let dc = studio.constant(0.5)
    let first = studio.start(dc, on: .music, at: 0)
    studio.submit(.stop(first, at: 1_000, fade: fade))
    studio.start(dc, on: .music, at: 1_000, fadeIn: fade)
    for value in studio.render(30_000) { #expect(abs(value.left - 0.5) < 1e-6) }
  }

  @Test func gainsInFlightAreWhereTheNextFadeStarts() {
    let studio = Studio()
    let dc = studio.constant(0.5)
    let id = studio.start(dc, on: .music, at: 0, fadeIn: fade)
    // Up for 9600 frames, then down for 4800 of a new fade, then up to 2 for the whole of a third.
    studio.submit(.gain(id, to: 0, at: 9_600, fade: fade), .gain(id, to: 2, at: 14_400, fade: fade))
    let out = studio.render(50_000)
    let turned = Oracle.equalPower(0, 1, 9_600, of: 24_000)
    let turnedAgain = Oracle.equalPower(turned, 0, 4_800, of: 24_000)
    for (frame, value) in out.enumerated() {
      let gain =
        switch frame {
        case ..<9_600: Oracle.equalPower(0, 1, frame, of: 24_000)
        case ..<14_400: Oracle.equalPower(turned, 0, frame - 9_600, of: 24_000)
        default: Oracle.equalPower(turnedAgain, 2, frame - 14_400, of: 24_000)
        }
      #expect(abs(Double(value.left) - 0.5 * gain) < 1e-6, "frame \(frame)")
    }
  }

  @Test func aFadeInterruptedFourTimesNeverSteps() {
    // One track of DC and silent ones: what is heard is that track's gain alone.
    let studio = Studio()
    let dc = studio.constant(0.5)
    let silence = studio.constant(0)
    var current = studio.start(dc, on: .music, at: 0)
    let loud = current
    for turn in 0..<5 {
      let at = Int64(2_000 + 4_800 * turn)
      if turn == 3 {
        // Back to the first while it still fades out.
        studio.submit(.stop(current, at: at, fade: fade), .bringBack(loud, at: at, fade: fade))
        current = loud
      } else {
        studio.submit(.stop(current, at: at, fade: fade))
        current = studio.start(silence, on: .music, at: at, fadeIn: fade)
      }
    }
    let out = studio.render(60_000)
    #expect(out.largestStep > 1e-5 && out.largestStep <= 4e-5)
    #expect(out[2_000] == Frame(left: 0.5, right: 0.5))
    #expect(out[59_999] == Frame(left: 0, right: 0))
    #expect(studio.events.contains(.finished(loud, at: Int64(2_000 + 4_800 * 4 + 24_000), .stopped)))
  }
}
