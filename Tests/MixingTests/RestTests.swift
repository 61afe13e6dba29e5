// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import Mixing

/// Frames that pass at rest are as if they had been rendered: nothing that comes after them can tell.
@Suite struct RestTests {
  private func calm(_ studio: Studio) -> Int64 { studio.controller.mixer.pointee.calmFrames }

  /// Renders `frames` frames in periods of `period`; those that it can it lets pass at rest. How many those were, and in how many of
  /// them a voice was paused.
  private func restOrRender(
    _ studio: Studio, _ frames: Int, period: Int, into out: inout [Frame]
  ) -> (all: Int, paused: Int) {
    var (done, rested, paused) = (0, 0, 0)
    while done < frames {
      let count = min(period, frames - done)
      let mixer = studio.controller.mixer
      if !mixer.pointee.hasWork, mixer.pointee.calmFrames >= Int64(count) {
        mixer.pointee.rest(frames: Int64(count))
        out += [Frame](repeating: Frame(left: 0, right: 0), count: count)
        rested += count
        if mixer.pointee.bank.occupied.next(from: 0) >= 0, !mixer.pointee.standsOn { paused += count }
      } else {
        out += studio.render(count)
      }
      done += count
    }
    return (rested, paused)
  }

  /// Asks both studios for the same, drawn from `numbers`.
  private func ask(_ studios: [Studio], _ numbers: inout SeededRandom, stood: inout Int64) {
    let reach = studios[0].controller.mixedFrame
    let at = reach + Int64.random(in: -2_500...4_000, using: &numbers)
    let fade = Fade(frames: Int32.random(in: 0...3_000, using: &numbers), curve: .equalPower)
    let pitch = Float.random(in: 0.5...2, using: &numbers)
    let (kind, loud) = (Int.random(in: 0..<12, using: &numbers), Float.random(in: 0...1.2, using: &numbers))
    if kind == 8 { stood += 777 }
    let until = at + Int64.random(in: 2_000...30_000, using: &numbers)
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
      case 8:
        _ = studio.controller.stand(before: at)
        _ = studio.controller.goOn(afterStanding: stood)
      default:
        // Paused for longer than a part of the run, some late, while its gain, its pan or its end is asked for; some for good.
        let rule = kind == 9 ? DuckRule(.music, depth: 0.5, attack: 500, hold: 400, release: 3_000) : nil
        let voice = studio.voice()
        var source = VoiceSource.resident(studio.counter(frames: 9_000, loop: kind == 10 ? 100..<8_000 : nil))
        if kind == 11 {
          let ring = studio.ring(capacityFrames: 16_384)
          _ = studio.fill(ring, counting: 9_000)
          ring.pointee.finish()
          source = .stream(ring)
        }
        studio.submit(
          .start(
            VoiceStart(id: voice, source: source, bus: .sound, at: at, ducking: rule, late: loud > 0.6 ? .skip : .shift)
          ))
        studio.submit(.pause(voice, at: at + 1_500, fade: fade))
        let end = loud * 10
        if end < 3 { studio.submit(.fadeOut(voice, at: at + 2_500, fade: fade)) }
        if end > 2, end < 5 { studio.submit(.gain(voice, to: loud, at: until - 500, fade: fade)) }
        if end > 4, end < 7 { studio.submit(.pan(voice, to: loud - 0.5, at: until - 500)) }
        if end < 8 { studio.submit(.resume(voice, at: until, fade: fade)) }
        if end > 7, end < 9 { studio.submit(.stop(voice, at: until + 3_000, fade: fade)) }
        if kind == 10, end < 8 { studio.submit(.stop(voice, at: until + 6_000, fade: fade)) }
      }
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>) func aRunThatRestsIsARunThatDoesNot(seed: UInt64) {
    let (rendering, resting) = (Studio(), Studio())
    var numbers = SeededRandom(seed: seed)
    var (expected, out) = ([Frame](), [Frame]())
    var (rested, paused) = (0, 0)
    var stood: Int64 = 0
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 0...2, using: &numbers) { ask([rendering, resting], &numbers, stood: &stood) }
      let frames = Int.random(in: 1...20_000, using: &numbers)
      expected += rendering.render(frames, periods: [128])
      let atRest = restOrRender(resting, frames, period: 128, into: &out)
      (rested, paused) = (rested + atRest.all, paused + atRest.paused)
      #expect(resting.controller.mixedFrame == rendering.controller.mixedFrame)
      #expect(resting.controller.outputFrame == rendering.controller.outputFrame)
      #expect(resting.controller.room == rendering.controller.room)
    }
    #expect(out == expected)
    #expect(resting.events == rendering.events)
    #expect(rested > 20_000)
    #expect(paused > 1_000)
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

  @Test(arguments: [false, true]) func whatIsPausedRestsUntilItGoesOn(isStream: Bool) {
    let studio = Studio()
    let voice = studio.voice()
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 4_000)
    let source: VoiceSource = isStream ? .stream(ring) : .resident(studio.counter(frames: 4_000))
    studio.submit(.start(VoiceStart<VoiceSource>(id: voice, source: source, bus: .music, at: 0)))
    studio.submit(.pause(voice, at: 1_000, fade: .none))
    _ = studio.render(8_192)
    #expect(calm(studio) == .max)
    let mixer = studio.controller.mixer
    mixer.pointee.rest(frames: 48_000 * 3_600)
    let at = studio.controller.mixedFrame + 500
    studio.submit(.resume(voice, at: at, fade: .none))
    let out = studio.render(1_024)
    let lead = studio.controller.configuration.lookaheadFrames
    #expect(out.prefix(lead + 500).allSatisfy { $0.left == 0 })
    #expect(out[lead + 500].left == count(1_000))
    #expect(calm(studio) == 0)
  }

  @Test func whatIsPausedAndGoesOnByItselfIsRendered() {
    let studio = Studio()
    let voice = studio.start(studio.counter(frames: 60_000), at: 0, late: .skip)
    _ = studio.render(8_192)
    // It was to stand from 3,000 frames before: so long it stands on.
    studio.submit(.pause(voice, at: studio.controller.mixedFrame - 3_000, fade: .none))
    _ = studio.render(8_192)
    let paused = calm(studio)
    studio.submit(.resume(voice, at: studio.controller.mixedFrame, fade: .none))
    _ = studio.render(1_024)
    let standingOn = calm(studio)
    let silent = studio.render(1_024)
    #expect([paused, standingOn] == [.max, 0])
    #expect(silent.peak == 0)
    #expect(studio.render(4_096).peak > 0)
  }

  @Test func whatSoundsOrMovesDoesNotRest() {
    let playing = Studio()
    playing.start(playing.constant(0.1), at: 0)
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
