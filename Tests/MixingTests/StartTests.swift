// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

@Suite struct StartTests {
  @Test func effectsBeginAtExactlyTheirFramesAndThereIsSilenceOutside() {
    let studio = Studio()
    let a = studio.start(studio.counter(frames: 100), at: 1_000)
    let b = studio.start(studio.counter(frames: 50), at: 1_301)
    let out = studio.render(2_000)
    for (frame, value) in out.enumerated() {
      let expected: Float =
        switch frame {
        case 1_000..<1_100: count(frame - 1_000)
        case 1_301..<1_351: count(frame - 1_301)
        default: 0
        }
      #expect(value == Frame(left: expected, right: -expected), "frame \(frame)")
    }
    #expect(
      studio.events == [
        .started(a, at: 1_000), .finished(a, at: 1_100, .ended), .started(b, at: 1_301),
        .finished(b, at: 1_351, .ended),
      ])
  }

  @Test func frameZeroIsInReachBeforeTheFirstPeriod() {
    let studio = Studio()
    #expect(studio.controller.mixedFrame == 0)
    studio.start(studio.counter(frames: 10), at: 0)
    let out = studio.render(1)
    #expect(out == [Frame(left: 0x1p-20, right: -0x1p-20)])
    #expect(studio.controller.mixedFrame == Int64(1 + studio.controller.configuration.lookaheadFrames))
    #expect(studio.controller.outputFrame == 1)
  }

  @Test func aLateEffectStartsWholeAtTheFirstFrameInReach() {
    let studio = Studio()
    _ = studio.render(300)
    let reach = studio.controller.mixedFrame
    let id = studio.start(studio.counter(frames: 10), at: 17)
    let out = studio.render(500)
    #expect(studio.events == [.started(id, at: reach), .finished(id, at: reach + 10, .ended)])
    let first = Int(reach) - 300
    #expect(out[first - 1] == Frame(left: 0, right: 0))
    #expect((0..<10).map { out[first + $0].left } == (0..<10).map(count))
    #expect(out[first + 10] == Frame(left: 0, right: 0))
  }

  @Test func lateMusicEntersInPlaceWithoutAClick() {
    let studio = Studio()
    _ = studio.render(300)
    let reach = studio.controller.mixedFrame
    let id = studio.start(studio.counter(frames: 10_000), on: .music, at: 100, late: .skip)
    let out = studio.render(2_000)
    #expect(studio.events == [.started(id, at: reach)])
    let first = Int(reach) - 300
    for index in 0..<1_000 {
      let gain = min(Float(index) / 240, 1)
      let sample = count(Int(reach) - 100 + index)
      #expect(abs(out[first + index].left - gain * sample) <= 1e-8)
    }
  }

  @Test func sourceFrameIsWhereItBegins() {
    let studio = Studio()
    let id = studio.start(studio.counter(frames: 100), at: 0, sourceFrame: 90)
    let out = studio.render(20)
    #expect(out.map(\.left) == (0..<20).map { $0 < 10 ? count(90 + $0) : 0 })
    _ = studio.render(256)
    #expect(studio.events.last == .finished(id, at: 10, .ended))
  }
}
