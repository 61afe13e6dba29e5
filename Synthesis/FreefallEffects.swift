// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The seven effects of Freefall, and its voice.
enum FreefallEffects {
  /// Gravity turns over: a short whoop upwards, heard a hundred times a minute, so small.
  static func flip() -> Stereo {
    let tone = sweep(0.16) { 260 + 520 * sinf(min(1, $0 / 0.11) * .pi / 2) }
    let air = noise(0.16, seed: 60).band(2_600, resonance: 0.4)
    let wave = tone.indices.map { index in
      let time = Float(index) / rate
      return tone[index] * expf(-time / 0.05) + 0.35 * air[index] * expf(-time / 0.035)
    }
    return Stereo(both: wave.faded(0.002, 0.03))
  }

  /// It breaks: a blow, splinters, and a pitch that falls away.
  static func death() -> Stereo {
    let fall = sweep(0.75) { 420 * expf(-$0 / 0.22) + 45 }
    let crush = noise(0.75, seed: 61).low(2_600)
    let splinters = noise(0.75, seed: 62).high(3_500)
    let wave = fall.indices.map { index in
      let time = Float(index) / rate
      let grain: Float = sinf(2 * .pi * (38 - 20 * time) * time) > 0.2 ? 1 : 0.2
      return tanhf(1.6 * fall[index]) * 0.7 * expf(-time / 0.2) + 0.8 * crush[index] * expf(-time / 0.06)
        + 0.3 * splinters[index] * grain * expf(-time / 0.13)
    }
    return inRoom(Stereo(both: wave.faded(0.0005, 0.1)), 0.15, seconds: 0.6, damping: 4_000)
  }

  /// The ring is reached: a fifth that opens upwards.
  static func goal() -> Stereo {
    run("G5 D6 G6", every: 0.06, length: 0.9, share: 0.3)
  }

  /// A word appears: a chord that lands, with weight below it.
  static func levelComplete() -> Stereo {
    var out = run("C5 E5 G5 B5 D6", every: 0.018, length: 1.3, share: 0.35)
    let blow = zip(sweep(0.5) { 60 + 90 * expf(-$0 / 0.02) }, samples(0.5) { expf(-$0 / 0.14) }).map { 0.7 * $0 * $1 }
    out.add(Stereo(both: blow.faded(0.001, 0.05)), at: 0, 1, 1, wraps: false)
    return out
  }

  /// A button: less than the click of a pen.
  static func uiTap() -> Stereo {
    let wave = samples(0.045) { time in
      sinf(2 * .pi * 1_150 * time) * expf(-time / 0.007) + 0.4 * sinf(2 * .pi * 2_950 * time) * expf(-time / 0.003)
    }
    return Stereo(both: wave.faded(0.0006, 0.01))
  }

  /// A world opens: a gate of light, slowly, and what shines behind it.
  static func worldUnlock() -> Stereo {
    var out = Stereo(frames: Int(2.6 * rate))
    let swell = Synthesiser(
      unison: 5, detune: 24, attack: 0.5, decay: 1, sustain: 1, release: 0.35, cutoff: 600, sweepOctaves: -0.5,
      gain: 0.5)
    for (index, note) in notes("C4 G4 D5 E5 B5").enumerated() {
      var voice = swell
      voice.cutoff = 900 + 300 * Float(index)
      out.add(voice(note, 1.1), at: Int(0.05 * rate) * index, 0.5, 0.5, wraps: false)
    }
    for (index, note) in notes("E6 G6 B6 D7 G7").enumerated() {
      out.add(bell(note, 1.2, brightness: 0.5), at: Int((0.55 + 0.09 * Float(index)) * rate), 0.4, 0.4, wraps: false)
    }
    return inRoom(out, 0.3, seconds: 1.6, damping: 7_000)
  }

  /// Caught: high, struck, gone within 0.2 s.
  static func collect() -> Stereo {
    func strike(_ hertz: Float, _ time: Float) -> Float {
      guard time > 0 else { return 0 }
      return min(1, time / 0.002) * expf(-time / 0.035)
        * (sinf(2 * .pi * hertz * time) + 0.3 * expf(-time / 0.012) * sinf(6 * .pi * hertz * time))
    }
    let wave = samples(0.18) { strike(1_568, $0) * 0.7 + strike(2_349, $0 - 0.045) }
    return Stereo(both: wave.faded(0.0006, 0.02))
  }

  private static func run(_ names: String, every: Float, length: Float, share: Float) -> Stereo {
    var out = Stereo(frames: Int((length + 0.2) * rate))
    for (index, note) in notes(names).enumerated() {
      let side = Float(index % 2 == 0 ? -1 : 1) * 0.2
      out.add(
        bell(note, length, brightness: 0.5), at: Int(every * Float(index) * rate), 0.5 - side / 2, 0.5 + side / 2,
        wraps: false)
    }
    return inRoom(out, share, seconds: 1, damping: 7_000)
  }

  /// A machine says one word, "fall": breath, an open vowel that sinks, and a dark end. Three throats, one an octave down.
  static func intermissionVoice() -> Stereo {
    // Seconds, and the first three formants in Hz.
    let mouth: [(Float, [Float])] = [
      (0, [500, 1_100, 2_500]), (0.1, [640, 1_000, 2_550]), (0.3, [600, 880, 2_600]), (0.42, [400, 820, 2_500]),
      (0.6, [330, 900, 2_450]),
    ]
    func formant(_ number: Int, at time: Float) -> Float {
      guard let next = mouth.firstIndex(where: { $0.0 > time }), next > 0 else {
        return mouth[mouth.count - 1].1[number]
      }
      let (from, to) = (mouth[next - 1], mouth[next])
      return from.1[number] + (to.1[number] - from.1[number]) * (time - from.0) / (to.0 - from.0)
    }
    var out = Stereo(frames: Int(0.75 * rate))
    for (detune, side, gain) in [(Float(1), Float(0), Float(1)), (1.012, -0.6, 0.6), (0.5, 0.5, 0.7)] {
      var filters = (StateVariable(), StateVariable(), StateVariable())
      var breath = Noise(63)
      var breathFilter = StateVariable(5_500, resonance: 0.3)
      var phase: Float = 0
      let spoken = samples(0.75) { time in
        phase += detune * (118 - 38 * min(1, time / 0.6)) / rate
        phase -= phase.rounded(.down)
        // The throat: a pulse that opens slowly and closes at once.
        let throat = phase < 0.6 ? phase * phase * (0.6 - phase) * 14 - 0.45 : Float(-0.45)
        filters.0.tune(formant(0, at: time), 0.88)
        filters.1.tune(formant(1, at: time), 0.9)
        filters.2.tune(formant(2, at: time), 0.9)
        let voiced = min(1, max(0, (time - 0.06) / 0.05)) * (time > 0.5 ? expf(-(time - 0.5) / 0.06) : 1)
        let vowel = filters.0(throat).band + 0.6 * filters.1(throat).band + 0.25 * filters.2(throat).band
        let hiss =
          0.06 * breathFilter(breath.next()).band * min(1, time / 0.02)
          * (time > 0.08 ? expf(-(time - 0.08) / 0.015) : 1)
        return gain * (vowel * voiced + hiss)
      }
      out.add(Stereo(both: spoken.faded(0.002, 0.05)), at: 0, 1 - side * 0.5, 1 + side * 0.5, wraps: false)
    }
    out.map { tanhf(1.5 * $0) }
    return inRoom(out, 0.3, seconds: 1.4, damping: 3_500)
  }
}
