// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The five effects of Starlight Sync.
enum StarlightSyncEffects {
  /// A low, heavy landing: a body that falls in pitch, the knock of its edge, and the floor.
  static func hapticThud() -> Stereo {
    let body = sweep(0.7) { 52 + 75 * expf(-$0 / 0.03) }
    let edge = noise(0.7, seed: 50).low(420)
    let wave = body.indices.map { index in
      let time = Float(index) / rate
      return tanhf(2 * body[index] * expf(-time / 0.16)) + 0.8 * edge[index] * expf(-time / 0.02)
    }
    return inRoom(Stereo(both: wave.faded(0.0005, 0.1)), 0.12, seconds: 0.5, damping: 1_500)
  }

  /// A high sparkle: five bells upwards, quicker and quicker.
  static func successChime() -> Stereo {
    var out = Stereo(frames: Int(1.3 * rate))
    for (index, note) in notes("C6 E6 G6 B6 E7").enumerated() {
      let at = Int(rate * [0, 0.07, 0.13, 0.18, 0.22][index])
      let side = Float(index % 2 == 0 ? -1 : 1) * 0.25
      out.add(bell(note, 0.95, brightness: 0.7), at: at, (1 - side) * 0.5, (1 + side) * 0.5, wraps: false)
    }
    return inRoom(out, 0.3, seconds: 1, damping: 8_000)
  }

  /// Something thrown back by a field: a hollow strike, and a shimmer that turns away.
  static func shieldImpact() -> Stereo {
    let ring = sweep(0.5) { 610 + 380 * expf(-$0 / 0.05) + 9 * sinf(2 * .pi * 31 * $0) }
    let upper = sweep(0.5) { 1_490 + 500 * expf(-$0 / 0.03) }
    let strike = noise(0.5, seed: 51).band(1_900, resonance: 0.4)
    let blow = sweep(0.5) { 110 + 130 * expf(-$0 / 0.015) }
    let wave = ring.indices.map { index in
      let time = Float(index) / rate
      return 0.5 * ring[index] * expf(-time / 0.11) + 0.22 * upper[index] * expf(-time / 0.07) + 0.9 * strike[index]
        * expf(-time / 0.014) + 0.8 * blow[index] * expf(-time / 0.05)
    }
    return inRoom(Stereo(both: wave.faded(0.0005, 0.08)), 0.2, seconds: 0.7, damping: 6_000)
  }

  /// A detent: a tick with a spark of pitch, over at once.
  static func click() -> Stereo {
    let tick = noise(0.04, seed: 52).high(2_400)
    let wave = tick.indices.map { index in
      let time = Float(index) / rate
      return 0.6 * tick[index] * expf(-time / 0.0016) + sinf(2 * .pi * 2_300 * time) * expf(-time / 0.006)
        + 0.5 * sinf(2 * .pi * 640 * time) * expf(-time / 0.008)
    }
    return Stereo(both: wave.faded(0.0003, 0.01))
  }

  /// No: two soft, hollow tones, the second lower by a minor third. It tells, and does not scold.
  static func error() -> Stereo {
    var out = Stereo(frames: Int(0.55 * rate))
    let reed = Synthesiser(
      wave: .square, attack: 0.004, decay: 0.1, sustain: 0.4, release: 0.04, cutoff: 900,
      sweepOctaves: 0.8, gain: 0.8)
    for (at, note) in [(Float(0), Float(54)), (0.13, 51)] {
      out.add(reed(note, 0.1), at: Int(at * rate), 1, 1, wraps: false)
      out.add(reed(note - 12, 0.1), at: Int(at * rate), 0.6, 0.6, wraps: false)
    }
    return inRoom(out, 0.1, seconds: 0.4, damping: 2_500)
  }
}

/// The sound with a little of a room around it.
func inRoom(_ sound: Stereo, _ share: Float, seconds: Float, damping: Float) -> Stereo {
  var out = Stereo(frames: sound.frames + Int(seconds * 0.6 * rate))
  out.add(sound, at: 0, 1, 1, wraps: false)
  let wet = reverberated(out, seconds: seconds, damping: damping, loops: false)
  out.add(wet, gain: share)
  return Stereo(left: out.left.faded(0, 0.08), right: out.right.faded(0, 0.08))
}
