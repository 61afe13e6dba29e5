// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// Lost frames pass as if they had been heard: what follows is what would have been, faded in.
@Suite struct SkipTests {
  private func scene() -> Studio {
    let studio = Studio()
    studio.start(studio.counter(frames: 120_000), on: .music, at: 0)
    studio.start(studio.counter(frames: 1_000, loop: 100..<1_000), at: 1_234)
    studio.start(studio.counter(frames: 5_000, loop: 17..<4_900), at: 1_500, pitch: 1.25)
    let rule = DuckRule(.music, depth: 0.5, attack: 500, hold: 4_000, release: 60_000)
    studio.start(studio.counter(frames: 4_000), at: 30_000, ducking: rule)
    let ring = studio.ring(capacityFrames: 131_072)
    _ = studio.fill(ring, counting: 120_000)
    studio.submit(.start(VoiceStart(id: studio.voice(), source: .stream(ring), bus: .music, at: 700)))
    let fading = studio.start(studio.counter(frames: 900, loop: 0..<900), at: 0)
    studio.submit(
      .stop(fading, at: 20_000, fade: Fade(frames: 9_000)),
      .busGain(.sound, to: 0.5, at: 25_000, fade: Fade(frames: 100_000, curve: .equalPower)))
    return studio
  }

  @Test(arguments: [1, 95, 97, 1_023, 5_000, 100_001]) func whatFollowsIsWhatWouldHaveBeen(
    _ gap: Int
  ) {
    let heard = scene()
    _ = heard.render(10_000 + gap)
    let expected = heard.render(3_000)
    let holed = scene()
    _ = holed.render(10_000)
    holed.skip(gap)
    #expect(holed.controller.outputFrame == Int64(10_000 + gap))
    let out = holed.render(3_000)
    for frame in 0..<240 {
      let gain = Oracle.linear(0, 1, frame, of: 240)
      #expect(abs(Double(out[frame].left) - gain * Double(expected[frame].left)) < 1e-7)
    }
    #expect(Array(out[240...]) == Array(expected[240...]))
    #expect(Set(holed.events.map { "\($0)" }) == Set(heard.events.map { "\($0)" }))
  }

  @Test func endsInsideTheGapAreToldWithTheirFrames() {
    let studio = Studio()
    let short = studio.start(studio.counter(frames: 5_000), at: 100)
    let pitched = studio.start(studio.counter(frames: 5_001), at: 100, pitch: 0.5)
    let stopped = studio.start(studio.constant(0.1), at: 0)
    studio.submit(.stop(stopped, at: 3_000, fade: Fade(frames: 333)))
    studio.skip(1_000_000)
    #expect(studio.events.contains(.finished(short, at: 5_100, .ended)))
    #expect(studio.events.contains(.finished(pitched, at: 100 + 10_002, .ended)))
    #expect(studio.events.contains(.finished(stopped, at: 3_333, .stopped)))
  }

  @Test func aStreamCatchesUpAfterAGapLongerThanItsRing() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 4_096)
    _ = studio.fill(ring, counting: 4_096)
    studio.submit(.start(VoiceStart(id: studio.voice(), source: .stream(ring), bus: .music, at: 0)))
    _ = studio.render(1_000)
    studio.skip(20_000)
    var out: [Frame] = []
    for _ in 0..<40 {
      _ = studio.fill(ring, counting: ring.pointee.writableFrames)
      out += studio.render(256)
    }
    #expect(out[10_000].left == count(31_000))
    #expect(out.largestStep < count(40_000) / 240 + 0x1p-19)
  }

  @Test func nothingAndLessThanNothingPassUnnoticed() {
    let studio = Studio()
    studio.start(studio.constant(0.5), at: 0)
    _ = studio.render(100)
    studio.skip(0)
    studio.skip(-5)
    #expect(studio.controller.outputFrame == 100)
    #expect(studio.render(1) == [Frame(left: 0.5, right: 0.5)])
  }

  @Test func afterSilenceTheNextFramesComeUpInFiveMilliseconds() {
    let studio = Studio()
    studio.start(studio.constant(0.5), at: 0)
    _ = studio.render(100)
    studio.controller.mixer.pointee.fadeIn()
    let out = studio.render(241, periods: [7, 64])
    for frame in 0..<240 { #expect(abs(out[frame].left - 0.5 * Float(frame) / 240) < 1e-6) }
    #expect(out[240].left == 0.5)
  }
}
