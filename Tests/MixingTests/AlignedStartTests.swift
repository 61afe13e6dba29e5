// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// Voices that begin in the middle of their sound.
@Suite struct AlignedStartTests {
  @Test func aLoopIsCountedOnThroughItsTurns() {
    let studio = Studio()
    studio.start(studio.counter(frames: 100, loop: 20..<100), at: 0, sourceFrame: 350)
    let out = studio.render(200)
    for frame in 0..<200 { #expect(out[frame].left == count(20 + (350 - 20 + frame) % 80)) }
  }

  /// Whatever a voice went through, one aligned with it is where it is: its opposite leaves silence.
  @Test(arguments: [Float(1), 0.75, 1.37])
  func aVoiceBeginsWhereAnotherIs(pitch: Float) {
    let studio = Studio()
    let wave = studio.source(frames: 1_000, loop: 100..<1_000) { frame in
      let value = Float(frame % 90) / 90 - 0.5
      return Frame(left: value, right: -value)
    }
    // The same but for its sign, and with its loop a turn later.
    let opposite = studio.source(frames: 1_900, loop: 1_000..<1_900) { frame in
      let value = Float((frame < 1_000 ? frame : frame - 900) % 90) / 90 - 0.5
      return Frame(left: -value, right: value)
    }
    let first = studio.start(wave, at: 17, pitch: pitch)
    studio.submit(.pitch(first, to: pitch * 1.1, at: 500), .pitch(first, to: pitch, at: 900))
    for at in [1_201, 4_003] as [Int64] {
      let second = studio.voice()
      studio.submit(
        .start(
          VoiceStart(
            id: second, source: .resident(opposite), bus: .sound, at: at, alignedWith: first, pitch: pitch)),
        .stop(second, at: at + 700, fade: .none))
    }
    let out = studio.render(5_000)
    #expect(out[1_000..<1_200].peak > 0.3 && out[1_950..<4_000].peak > 0.3)
    #expect(out[1_201..<1_901].peak < 1e-6)
    #expect(out[4_003..<4_703].peak < 1e-6)
  }

  @Test func withoutTheOtherItNeverBegins() {
    let studio = Studio()
    let voice = studio.voice()
    let start = VoiceStart<VoiceSource>(
      id: voice, source: .resident(studio.constant(0.5)), bus: .sound, at: 100, alignedWith: VoiceID(rawValue: 99))
    studio.submit(.start(start))
    #expect(studio.render(500).peak == 0)
    #expect(studio.events == [.finished(voice, at: 100, .cancelled)])
    #expect(studio.controller.room == studio.controller.configuration.commandCapacity)
  }
}
