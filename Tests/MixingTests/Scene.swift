// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Mixing
import SeededNumbers

/// Everything at once, drawn from a seed: loops, pitches, pans, streams, fades of both laws, ducking, stealing, a limiter at
/// work; stereo sources and, every third, mono ones. Their samples are whole numbers of 2^-15.
func scene(
  seed: UInt64, kernel: rt_mix_kernel = rt_mix_best_kernel(), keeping: Keeping = .floats
) -> Studio {
  var numbers = SeededRandom(seed: seed)
  let room = MixerConfiguration(effectVoices: 12, effectReserve: 12, musicVoices: 3, musicReserve: 4)
  let studio = Studio(room, kernel: kernel, keeping: keeping)
  let sources = (0..<6).map { index in
    let frames = Int.random(in: 50...3_000, using: &numbers)
    let loop = index % 2 == 0 ? Int.random(in: 0..<20, using: &numbers)..<frames - 5 : nil
    let noise = (0..<2 * frames).map { _ in Float(Int16.random(in: -23_000...23_000, using: &numbers)) * 0x1p-15 }
    let right = index % 3 == 0 ? 0 : 1
    return studio.source(frames: frames, loop: loop) { Frame(left: noise[2 * $0], right: noise[2 * $0 + right]) }
  }
  let ring = studio.ring(capacityFrames: 16_384)
  _ = studio.fill(ring, counting: 9_000)
  ring.pointee.finish()
  studio.submit(
    .start(
      VoiceStart(
        id: studio.voice(), source: .stream(ring), bus: .music, at: 100, gain: 60,
        fadeIn: Fade(frames: 700, curve: .equalPower))))
  var voices: [VoiceID] = []
  for _ in 0..<60 {
    let at = Int64.random(in: 0..<7_000, using: &numbers)
    let length = Int32.random(in: 0...1_500, using: &numbers)
    let fade = Fade(frames: length, curve: Bool.random(using: &numbers) ? .linear : .equalPower)
    let gain = Float.random(in: 0...2, using: &numbers)
    let place = Float.random(in: -1...1, using: &numbers)
    let pitch = Bool.random(using: &numbers) ? 1 : Float.random(in: 0.3...3, using: &numbers)
    let voice = voices.randomElement(using: &numbers)
    switch (Int.random(in: 0..<12, using: &numbers), voice) {
    case (0, let voice?): studio.submit(.stop(voice, at: at, fade: fade))
    case (1, let voice?): studio.submit(.gain(voice, to: gain, at: at, fade: fade))
    case (2, let voice?): studio.submit(.pause(voice, at: at, fade: fade))
    case (3, let voice?): studio.submit(.resume(voice, at: at, fade: fade))
    case (4, let voice?): studio.submit(.pan(voice, to: place, at: at), .pitch(voice, to: pitch, at: at + 50))
    case (10, let voice?): studio.submit(.fadeOut(voice, at: at, fade: fade))
    case (11, let voice?): studio.submit(.bringBack(voice, at: at, fade: fade))
    case (5, _):
      studio.submit(.busGain(Bus.allCases.randomElement(using: &numbers) ?? .music, to: gain, at: at, fade: fade))
    default:
      let rule = DuckRule(
        Bool.random(using: &numbers) ? .sound : .music, depth: 0.5 + gain / 3, attack: length / 3, hold: length % 400,
        release: 600 + length % 7)
      voices.append(
        studio.start(
          sources.randomElement(using: &numbers) ?? sources[0], on: Bool.random(using: &numbers) ? .sound : .music,
          at: at, gain: gain, fadeIn: fade, pan: place, pitch: pitch,
          ducking: Int.random(in: 0..<3, using: &numbers) == 0 ? rule : nil))
    }
  }
  return studio
}
