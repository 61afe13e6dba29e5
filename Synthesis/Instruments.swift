// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A subtractive synthesiser, as a list of its knobs: oscillators beside each other, a low-pass with an envelope, and drive.
struct Synthesiser: Hashable, Sendable {
  enum Wave: Sendable { case sine, triangle, saw, square }

  var wave = Wave.saw
  /// Oscillators of one note, spread over the stereo picture.
  var unison = 1
  /// Cents between the outermost two.
  var detune: Float = 0
  /// A sine one octave below.
  var sub: Float = 0
  var attack: Float = 0.004
  var decay: Float = 0.3
  var sustain: Float = 0.7
  var release: Float = 0.08
  /// Hertz of the low-pass at rest; it begins `sweepOctaves` above and comes down in `sweepDecay` seconds.
  var cutoff: Float = 8_000
  var sweepOctaves: Float = 0
  var sweepDecay: Float = 0.15
  var resonance: Float = 0.1
  /// Wobbles of the cutoff: how many a second, and octaves to either side.
  var wobble = Wobble(0, 0)
  /// Cents, and how many a second; it comes in over a third of a second.
  var vibrato = Vibrato(0, 5)
  /// Semitones that a note slides up from in its first 60 ms.
  var slide: Float = 0
  var drive: Float = 0
  var gain: Float = 1

  struct Wobble: Hashable, Sendable {
    var hertz: Float
    var octaves: Float

    init(_ hertz: Float, _ octaves: Float) { (self.hertz, self.octaves) = (hertz, octaves) }
  }

  struct Vibrato: Hashable, Sendable {
    var cents: Float
    var hertz: Float

    init(_ cents: Float, _ hertz: Float) { (self.cents, self.hertz) = (cents, hertz) }
  }

  /// A note held for `seconds`, and its release.
  func callAsFunction(_ note: Float, _ seconds: Float, velocity: Float = 1) -> Stereo {
    PlayedNotes.once(PlayedNotes.Note(instrument: .synthesiser(self), note: note, seconds: seconds, velocity: velocity))
    {
      played(note, seconds, velocity)
    }
  }

  private func played(_ note: Float, _ seconds: Float, _ velocity: Float) -> Stereo {
    let held = Int(seconds * rate)
    let frames = held + Int(release * 5 * rate)
    var out = Stereo(frames: frames)
    var phases = (0..<unison).map { Float(($0 * 37) % 97) / 97 }
    let spreads = (0..<unison).map { unison == 1 ? 0 : 2 * Float($0) / Float(unison - 1) - 1 }
    let ratios = spreads.map { powf(2, $0 * detune / 2_400) }
    let level = gain * velocity / sqrtf(Float(unison))
    let pans = spreads.map { (sqrtf(0.5 - 0.35 * $0) * level, sqrtf(0.5 + 0.35 * $0) * level) }
    let base = hertz(note) / rate
    var subPhase: Float = 0
    var filters = (StateVariable(), StateVariable())
    var loudness: Float = 0
    let fall = expf(-1 / (max(decay, 0.001) * rate))
    let end = expf(-1 / (max(release, 0.001) * rate))
    var bend: Float = 1
    for frame in 0..<frames {
      let time = Float(frame) / rate
      if frame < held {
        if time < attack {
          loudness = time / attack
        } else {
          loudness = sustain + (loudness - sustain) * fall
        }
      } else {
        loudness *= end
      }
      if frame % 16 == 0 {
        let sway = vibrato.cents * min(1, time * 3) * sinf(2 * .pi * vibrato.hertz * time)
        bend = powf(2, sway / 1_200 - slide / 12 * max(0, 1 - time / 0.06))
        let swing = wobble.octaves * (wobble.hertz > 0 ? -cosf(2 * .pi * wobble.hertz * time) : 0)
        let open = cutoff * powf(2, sweepOctaves * expf(-time / sweepDecay) * velocity + swing)
        filters.0.tune(open, resonance)
        filters.1.tune(as: filters.0)
      }
      let step = base * bend
      var left: Float = 0
      var right: Float = 0
      for voice in 0..<unison {
        let advance = step * ratios[voice]
        let sample = shape(phases[voice], advance)
        left += sample * pans[voice].0
        right += sample * pans[voice].1
        phases[voice] += advance
        if phases[voice] >= 1 { phases[voice] -= 1 }
      }
      if sub > 0 {
        let low = sub * level * 0.7 * sinf(2 * .pi * subPhase)
        left += low
        right += low
        subPhase += step / 2
        if subPhase >= 1 { subPhase -= 1 }
      }
      left = filters.0(left).low * loudness
      right = filters.1(right).low * loudness
      if drive > 0 {
        left = tanhf(left * (1 + drive)) / (1 + 0.4 * drive)
        right = tanhf(right * (1 + drive)) / (1 + 0.4 * drive)
      }
      out.left[frame] = left
      out.right[frame] = right
    }
    let last = Int(0.01 * rate)
    for index in 0..<min(last, frames) {
      out.left[frames - 1 - index] *= Float(index) / Float(last)
      out.right[frames - 1 - index] *= Float(index) / Float(last)
    }
    return out
  }

  /// The wave at a phase, its edges rounded over one sample so that they do not alias (PolyBLEP).
  private func shape(_ phase: Float, _ step: Float) -> Float {
    switch wave {
    case .sine: return sinf(2 * .pi * phase)
    case .triangle: return 1 - 4 * abs(phase - 0.5)
    case .saw: return 0.8 * (2 * phase - 1 - edge(phase, step))
    case .square:
      let half = phase < 0.5 ? phase + 0.5 : phase - 0.5
      return 0.6 * ((phase < 0.5 ? 1 : -1) + edge(phase, step) - edge(half, step))
    }
  }

  private func edge(_ phase: Float, _ step: Float) -> Float {
    if phase < step {
      let x = phase / step
      return x + x - x * x - 1
    }
    if phase > 1 - step {
      let x = (phase - 1) / step
      return x * x + x + x + 1
    }
    return 0
  }
}

/// An electric piano: a sine bent by another of its own frequency, a tine far above, and the sway of an old tape.
func electricPiano(_ note: Float, _ seconds: Float, velocity: Float = 1) -> Stereo {
  PlayedNotes.once(PlayedNotes.Note(instrument: .electricPiano, note: note, seconds: seconds, velocity: velocity)) {
    playedPiano(note, seconds, velocity)
  }
}

private func playedPiano(_ note: Float, _ seconds: Float, _ velocity: Float) -> Stereo {
  let base = hertz(note)
  let held = min(seconds, 3)
  var out = Stereo(frames: Int((held + 0.35) * rate))
  var phase: Float = 0
  for frame in 0..<out.frames {
    let time = Float(frame) / rate
    let sway = 1 + 0.0018 * sinf(2 * .pi * 0.9 * time + note)
    phase += base * sway / rate
    phase -= phase.rounded(.down)
    let angle = 2 * Float.pi * phase
    let index = velocity * (1.7 * expf(-time / 0.25) + 0.35)
    let tine = 0.16 * velocity * sinf(14 * angle) * expf(-time / 0.05)
    var level = expf(-time / 1.3) * min(1, time / 0.003)
    if time > held { level *= expf(-(time - held) / 0.07) }
    let sample = velocity * level * 0.6 * (sinf(angle + index * sinf(angle)) + tine)
    let pan = 0.18 * sinf(2 * .pi * 4.2 * time)
    out.left[frame] = sample * (1 - pan)
    out.right[frame] = sample * (1 + pan)
  }
  return Stereo(left: out.left.faded(0, 0.02), right: out.right.faded(0, 0.02))
}

/// Struck metal or glass: partials that are no multiples of each other, the higher the shorter.
func bell(_ note: Float, _ seconds: Float = 1.2, brightness: Float = 1) -> Stereo {
  let base = hertz(note)
  let partials: [(Float, Float, Float)] = [
    (1, 1, 0.35), (2.0, 0.35, 0.2), (2.756, 0.4, 0.14), (5.404, 0.22, 0.06), (8.93, 0.1, 0.03),
  ]
  let wave = samples(seconds) { time in
    partials.reduce(Float(0)) { sum, partial in
      let (ratio, size, length) = partial
      guard base * ratio < 18_000 else { return sum }
      let weight = ratio > 1 ? size * brightness : size
      return sum + weight * sinf(2 * .pi * base * ratio * time) * expf(-time / (length * seconds))
    } * 0.5
  }
  return Stereo(both: wave.faded(0.001, 0.05))
}

extension Stereo {
  init(left: [Float], right: [Float]) {
    self.left = left
    self.right = right
  }
}
