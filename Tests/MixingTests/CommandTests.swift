// SPDX-License-Identifier: Apache-2.0

import Mixing
import SeededNumbers
import Testing

@Suite struct CommandTests {
  @Test func aBatchThatDoesNotFitIsRefusedWhole() {
    let studio = Studio(MixerConfiguration(commandCapacity: 16))
    let far = (0..<10).map { _ in
      MixerCommand.busGain(.sound, to: 0.5, at: 1_000_000, fade: .none)
    }
    #expect(studio.controller.submit(far))
    #expect(!studio.controller.submit(far))
    // Being read does not make room; being carried out does.
    _ = studio.render(1_000)
    #expect(!studio.controller.submit(far))
    #expect(studio.controller.submit(Array(far.prefix(6))))
    studio.skip(1_000_000)
    #expect(studio.controller.submit(far))
  }

  @Test func aBatchWhoseTimeHasPassedActsAtOneFrame() {
    let studio = Studio()
    _ = studio.render(1_000)
    let reach = studio.controller.mixedFrame
    let dc = studio.constant(0.125)
    let ids = (0..<8).map { _ in studio.voice() }
    _ = studio.controller.submit(
      ids.enumerated().map { index, id in
        .start(VoiceStart(id: id, source: .resident(dc), bus: .sound, at: Int64(index)))
      })
    let out = studio.render(1_000, periods: [1, 3])
    #expect(studio.events == ids.map { .started($0, at: reach) })
    #expect(out[Int(reach) - 1_001].left == 0 && out[Int(reach) - 1_000].left == 1)
  }

  @Test func stoppingWhatHasNotBegunCancelsIt() {
    let studio = Studio()
    let id = studio.start(studio.constant(0.5), at: 5_000)
    studio.submit(.stop(id, at: 100, fade: .none))
    let out = studio.render(8_000)
    #expect(out.allSatisfy { $0 == Frame(left: 0, right: 0) })
    #expect(studio.events == [.finished(id, at: 100, .cancelled)])
  }

  @Test func stopAllTakesPlannedVoicesOfItsBusButNotLaterOnes() {
    let studio = Studio()
    let dc = studio.constant(0.25)
    let now = studio.start(dc, at: 0)
    let planned = studio.start(dc, at: 3_000)
    let music = studio.start(dc, on: .music, at: 3_000)
    studio.submit(.stopAll(.sound, at: 1_000, fade: Fade(frames: 240)))
    let later = studio.start(dc, at: 3_000)
    let out = studio.render(4_000)
    #expect(studio.events.contains(.finished(now, at: 1_240, .stopped)))
    #expect(studio.events.contains(.finished(planned, at: 1_000, .cancelled)))
    #expect(studio.events.contains(.started(music, at: 3_000)))
    #expect(studio.events.contains(.started(later, at: 3_000)))
    #expect(out[2_000].left == 0 && out[3_500].left == 0.5)
  }

  @Test func changesToAPlannedVoiceChangeThePlan() {
    let studio = Studio()
    let dc = studio.constant(0.5)
    let soft = studio.start(dc, at: 1_000)
    let held = studio.start(dc, at: 1_000)
    studio.submit(
      .gain(soft, to: 0.5, at: 0, fade: .none), .pan(soft, to: -1, at: 0), .pause(held, at: 0, fade: .none),
      .resume(held, at: 2_000, fade: .none))
    let out = studio.render(2_500)
    #expect(abs(out[1_000].left - 0.25 * Float(2).squareRoot()) < 1e-6 && out[1_000].right == 0)
    #expect(out[2_000].right == 0.5)
  }

  @Test func commandsOfOneFrameActInTheirOrder() {
    let studio = Studio()
    studio.start(studio.constant(0.5), at: 0)
    studio.submit(
      .busGain(.sound, to: 0.25, at: 500, fade: .none), .busGain(.sound, to: 0.5, at: 400, fade: .none),
      .busGain(.sound, to: 0.125, at: 500, fade: .none))
    let out = studio.render(600)
    #expect(out[399].left == 0.5 && out[400].left == 0.25 && out[499].left == 0.25 && out[500].left == 0.0625)
  }

  @Test func aVoiceThatFadesOutIsBroughtBack() {
    let studio = Studio()
    let id = studio.start(studio.constant(0.5), on: .music, at: 0)
    studio.submit(
      .stop(id, at: 1_000, fade: Fade(frames: 2_000)), .gain(id, to: 0.5, at: 1_500, fade: .none),
      .bringBack(id, at: 2_000, fade: Fade(frames: 1_000)))
    let out = studio.render(5_000)
    // Half of it is left by then, at half its gain.
    #expect(abs(out[2_000].left - 0.125) < 1e-6)
    #expect(out[4_000].left == 0.25)
    #expect(studio.events == [.started(id, at: 0)])
  }

  /// In whatever order they were submitted, and a shorter one that comes later wins.
  @Test(arguments: [false, true]) func whicheverEndIsOverFirstHolds(isReversed: Bool) {
    let studio = Studio()
    let ids = (0..<3).map { _ in studio.start(studio.constant(0.5), on: .sound, at: 0) }
    let commands: [MixerCommand] = [
      .end(ids[0], at: 1_000, fade: Fade(frames: 240)), .end(ids[0], at: 1_100, fade: Fade(frames: 9_000)),
      .end(ids[1], at: 1_000, fade: Fade(frames: 9_000)), .end(ids[1], at: 1_100, fade: Fade(frames: 240)),
      .end(ids[2], at: 1_000, fade: Fade(frames: 240)), .end(ids[2], at: 1_239, fade: .none),
    ]
    for command in isReversed ? commands.reversed() : commands { studio.submit(command) }
    _ = studio.render(12_000)
    for (id, end) in zip(ids, [1_240, 1_340, 1_239] as [Int64]) {
      #expect(studio.events.contains(.finished(id, at: end, .stopped)), "\(studio.events)")
    }
  }

  @Test func unknownVoicesAndWildNumbersDoNoHarm() {
    let studio = Studio()
    let stranger = VoiceID(rawValue: 99)
    studio.submit(
      .stop(stranger, at: .min, fade: Fade(frames: -5)), .gain(stranger, to: .nan, at: .max, fade: .none),
      .pause(stranger, at: 0, fade: .none), .resume(stranger, at: 0, fade: .none),
      .busGain(.music, to: .infinity, at: .min, fade: Fade(frames: .max)))
    let wild = DuckRule(.sound, depth: .nan, attack: .min, hold: .max, release: -1)
    studio.start(
      studio.constant(0.5), on: .voice, at: .min, sourceFrame: .max, pan: .nan, ducking: wild, late: .skip)
    studio.start(studio.counter(frames: 5), on: .voice, at: .min, sourceFrame: .min, late: .skip)
    studio.start(studio.counter(frames: 0), on: .voice, at: .max)
    let out = studio.render(2_000)
    #expect(out.peak <= 1)
    #expect(out[1_999].left == 0.5)
  }

  @Test func noFinishedEventIsLostWhenNobodyListens() {
    let studio = Studio(MixerConfiguration(effectVoices: 8, effectReserve: 8, commandCapacity: 16))
    let short = studio.counter(frames: 3)
    var accepted = 0
    let out = UnsafeMutablePointer<Float>.allocate(capacity: 512)
    defer { out.deallocate() }
    for _ in 0..<500 {
      let start = VoiceStart<VoiceSource>(id: studio.voice(), source: .resident(short), bus: .sound, at: 0)
      if studio.controller.submit([.start(start)]) { accepted += 1 }
      studio.controller.mixer.pointee.render(into: out, frames: 256)
    }
    #expect(accepted < 500)
    _ = studio.render(2_560)
    _ = studio.render(2_560)
    let finished = studio.events.filter { if case .finished = $0 { true } else { false } }
    #expect(finished.count == accepted)
    #expect(studio.controller.readStatistics().activeVoices == 0)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>) func whateverOrderCommandsComeInTheyActInThatOfTheirFrames(
    seed: UInt64
  ) {
    // A bus's gain tells which command acted last; starts planned and taken back meanwhile leave holes among them.
    var numbers = SeededRandom(seed: seed)
    let studio = Studio()
    studio.start(studio.constant(1), at: 0)
    let silence = studio.constant(0)
    var gains = [Float](repeating: 1, count: 3_000)
    var lastOrder = [Int](repeating: -1, count: 3_000)
    var cancelled: Set<VoiceID> = []
    for order in 0..<700 {
      let at = Int.random(in: 1..<3_000, using: &numbers)
      let gain = Float.random(in: 0...1, using: &numbers)
      studio.submit(.busGain(.sound, to: gain, at: Int64(at), fade: .none))
      gains[at] = gain
      lastOrder[at] = order
      if order % 5 == 0 {
        let bus: Bus = order % 10 == 0 ? .voice : .haptic
        let voice = studio.start(silence, on: bus, at: Int64(Int.random(in: 1_000..<3_000, using: &numbers)))
        if bus == .haptic || order % 20 == 0 { cancelled.insert(voice) }
        if bus == .voice && order % 20 == 0 { studio.submit(.stop(voice, at: 500, fade: .none)) }
      }
    }
    studio.submit(.stopAll(.haptic, at: 600, fade: .none))
    let out = studio.render(3_000)
    var gain: Float = 1
    for frame in 0..<3_000 {
      if lastOrder[frame] >= 0 { gain = gains[frame] }
      #expect(out[frame].left == gain, "frame \(frame)")
    }
    let told = studio.events.compactMap { event in
      if case .finished(let voice, _, .cancelled) = event { voice } else { nil }
    }
    #expect(Set(told) == cancelled && told.count == cancelled.count)
  }
}
