// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// Taking back what was planned for a voice.
@Suite struct RetractTests {
  private let fade = Fade(frames: 64)

  @Test func aStartThatIsTakenBackNeverHappensAndIsToldOnce() {
    let studio = Studio(MixerConfiguration(commandCapacity: 16))
    let taken = studio.start(studio.constant(0.5), at: 1_000)
    studio.submit(.stop(taken, at: 1_500, fade: .none), .gain(taken, to: 0.5, at: 900, fade: .none))
    _ = studio.render(500)
    let reach = studio.controller.mixedFrame
    studio.submit(.retract(taken, from: 1_000))
    let out = studio.render(2_000)
    #expect(out.allSatisfy { $0 == Frame(left: 0, right: 0) })
    #expect(studio.events == [.finished(taken, at: reach, .cancelled)])
    #expect(studio.controller.room == 16)
  }

  @Test func aVoiceThatSoundsIsNotBegunASecondTime() {
    let studio = Studio(MixerConfiguration(commandCapacity: 16))
    let dc = studio.constant(0.5)
    let voice = studio.start(dc, at: 0)
    _ = studio.render(200)
    // Taken back too late, and handed over anew.
    studio.submit(
      .retract(voice, from: 0), .start(VoiceStart(id: voice, source: .resident(dc), bus: .sound, at: 1_000)))
    let out = studio.render(2_000)
    #expect(out.allSatisfy { $0.left == 0.5 })
    #expect(studio.events.map(\.isFinishedAsCancelled) == [false, true])
    studio.submit(.stop(voice, at: 0, fade: .none))
    #expect(studio.render(1_000).last?.left == 0)
    #expect(studio.controller.room == 16)
  }

  @Test func aStartBeforeTheFrameStands() {
    let studio = Studio()
    let voice = studio.start(studio.constant(0.5), at: 1_000)
    studio.submit(.retract(voice, from: 1_001))
    let out = studio.render(2_000)
    #expect(out[999].left == 0 && out[1_000].left == 0.5 && out[1_999].left == 0.5)
  }

  @Test func aStartPlannedPausedIsTakenBackWithWhatWouldHaveResumedIt() {
    let studio = Studio()
    let dc = studio.constant(0.5)
    let (taken, kept) = (studio.start(dc, at: 1_000), studio.start(dc, at: 1_000))
    for voice in [taken, kept] {
      studio.submit(.pause(voice, at: 0, fade: .none), .resume(voice, at: 1_500, fade: .none))
    }
    _ = studio.render(200)
    studio.submit(.retract(taken, from: 600), .retract(kept, from: 1_001))
    let out = studio.render(2_000)
    #expect(out.allSatisfy { $0.left == 0 })
    // Mixed the look-ahead before it is put out.
    let mixed = Int64(200 + studio.controller.configuration.lookaheadFrames)
    #expect(studio.events == [.finished(taken, at: mixed, .cancelled), .started(kept, at: 1_000)])
  }

  @Test func aVoiceWhoseEndIsTakenBackGoesOn() {
    let studio = Studio()
    let dc = studio.constant(0.25)
    let (ended, held, soft) = (studio.start(dc, at: 0), studio.start(dc, at: 0), studio.start(dc, at: 0))
    studio.submit(
      .stop(ended, at: 1_000, fade: fade), .pause(held, at: 1_000, fade: fade),
      .gain(soft, to: 0, at: 1_000, fade: fade))
    _ = studio.render(500)
    studio.submit(.retract(ended, from: 1_000), .retract(held, from: 900), .retract(soft, from: 0))
    let out = studio.render(2_000)
    #expect(out.dropFirst(96).allSatisfy { $0 == Frame(left: 0.75, right: 0.75) })
  }

  @Test func whatHasBeenMixedStands() {
    let studio = Studio()
    let voice = studio.start(studio.constant(0.5), at: 0)
    studio.submit(.stop(voice, at: 500, fade: Fade(frames: 1_000)), .bringBack(voice, at: 800, fade: .none))
    _ = studio.render(600)
    // The fade has begun, and goes on; what was to interrupt it does not happen.
    studio.submit(.retract(voice, from: 100))
    let out = studio.render(1_000)
    #expect(out[400].left == 0.25 && out[899].left > 0 && out[900].left == 0)
    #expect(studio.events == [.started(voice, at: 0), .finished(voice, at: 1_500, .stopped)])
  }

  @Test func whatComesAfterwardsIsKept() {
    let studio = Studio()
    let voice = studio.start(studio.constant(0.5), at: 0)
    studio.submit(
      .gain(voice, to: 0.25, at: 1_000, fade: .none), .retract(voice, from: 1_000),
      .gain(voice, to: 0.5, at: 1_000, fade: .none))
    studio.submit(.pan(voice, to: -1, at: 1_500))
    let out = studio.render(2_000)
    #expect(out[999].left == 0.5 && out[1_000].left == 0.25 && out[1_999].right == 0)
  }

  @Test func panAndPitchAreTakenBackAndOnlyOfThatVoice() {
    let studio = Studio(MixerConfiguration(commandCapacity: 16))
    let counter = studio.counter(frames: 8_000)
    let (one, other) = (studio.start(counter, at: 0), studio.start(studio.constant(0.25), at: 0))
    for voice in [one, other] {
      studio.submit(
        .gain(voice, to: 0.5, at: 700, fade: .none), .pan(voice, to: 1, at: 1_000), .pitch(voice, to: 2, at: 1_000))
    }
    _ = studio.render(500)
    studio.submit(.retract(one, from: 701))
    _ = studio.render(100)
    // Of 16 there are the other's three and the one before.
    #expect(studio.controller.room == 12)
    let out = studio.render(4_000)
    let right = 0.125 * Float(2).squareRoot()
    #expect(out[3_400].left == 0.5 * count(4_000))
    #expect(abs(out[3_400].right - (right - 0.5 * count(4_000))) < 1e-6)
  }

  @Test func whatCameTooLateIsTakenBackByTheFrameItWasAskedFor() {
    let studio = Studio()
    _ = studio.render(1_000)
    let dc = studio.constant(0.25)
    let reach = studio.controller.mixedFrame
    let (kept, taken) = (studio.start(dc, at: 400), studio.start(dc, at: 600))
    studio.submit(.retract(kept, from: 500), .retract(taken, from: 500))
    let out = studio.render(500)
    #expect(out[499].left == 0.25)
    #expect(studio.events == [.finished(taken, at: reach, .cancelled), .started(kept, at: reach)])
  }

  @Test func aStartThatWasCancelledBeforeIsNotToldAgain() {
    let studio = Studio()
    let voice = studio.start(studio.constant(0.5), at: 1_000)
    studio.submit(.stop(voice, at: 100, fade: .none))
    _ = studio.render(300)
    studio.submit(.retract(voice, from: 0), .retract(voice, from: .min), .retract(VoiceID(rawValue: 99), from: .max))
    _ = studio.render(2_000)
    #expect(studio.events == [.finished(voice, at: 100, .cancelled)])
  }
}

extension MixerEvent {
  fileprivate var isFinishedAsCancelled: Bool { if case .finished(_, _, .cancelled) = self { true } else { false } }
}
