// SPDX-License-Identifier: Apache-2.0

/// The second world of Freefall, NEON YARD: night, colours, speed. Drum and bass with wide chords above it.
enum NeonYard {
  private static let pad = Synthesiser(
    unison: 7, detune: 28, attack: 0.25, decay: 1, sustain: 0.9, release: 0.35, cutoff: 2_000, sweepOctaves: 0.8,
    sweepDecay: 1, gain: 0.55)
  private static let sub = Synthesiser(
    wave: .sine, attack: 0.008, decay: 0.5, sustain: 0.9, release: 0.05, cutoff: 900, drive: 1.2, gain: 0.9)
  private static let reese = Synthesiser(
    unison: 3, detune: 34, sub: 0.7, attack: 0.01, decay: 0.5, sustain: 0.9, release: 0.06, cutoff: 420,
    resonance: 0.15, wobble: .init(1.45, 1.1), drive: 1.4, gain: 0.7)
  private static let glass = Synthesiser(
    wave: .square, unison: 2, detune: 14, decay: 0.14, sustain: 0.02, release: 0.15, cutoff: 1_600, sweepOctaves: 2,
    sweepDecay: 0.06, resonance: 0.3, gain: 0.5)
  private static let lead = Synthesiser(
    unison: 3, detune: 16, attack: 0.02, decay: 0.5, sustain: 0.75, release: 0.2, cutoff: 3_200, sweepOctaves: 0.6,
    vibrato: .init(12, 5.6), slide: 0.7, gain: 0.5)

  private static let chords = ["G3 Bb3 D4 F4 A4", "Eb3 G3 Bb3 D4 F4", "Bb3 D4 F4 A4 C5", "F3 A3 C4 D4 G4"]
  private static let roots = ["G1", "Eb2", "Bb1", "F1"]
  private static let tune = """
    D5/3 F5/1 G5/2 F5/1 D5/1 Bb4/3 D5/1 C5/4 D5/2 F5/2 A5/3 G5/1 F5/2 D5/1 F5/1 C5/4
    """

  static func track(heavy: Bool) -> Stereo {
    let song = Song(bpm: heavy ? 174 : 172, bars: 32)
    // Chords last two bars each.
    for part in 0..<16 {
      let start = Double(part) * 8
      let tones = notes(chords[part % 4])
      for (index, tone) in tones.enumerated() {
        let side = Float(index) / Float(tones.count - 1) * 1.2 - 0.6
        song.add(
          pad(tone, song.seconds(7.9)), at: start, .init(gain: heavy ? 0.13 : 0.18, pan: side, room: 0.6, pumps: true))
      }
      let root = midi(Substring(roots[part % 4])) ?? 36
      let line: [(Double, Double, Float)] =
        heavy
        ? [(0, 1.4, 0), (1.5, 0.4, 0), (2.5, 1.4, 12), (4, 1.9, 0), (6, 0.9, 7), (7, 0.9, 10)]
        : [(0, 2.9, 0), (3, 0.9, 7), (4, 2.4, 0), (6.5, 1.4, 12)]
      for (beat, beats, above) in line {
        let voice = heavy ? reese : sub
        song.add(
          voice(heavy ? root + 12 + above : root + above, song.seconds(beats)), at: start + beat,
          .init(gain: heavy ? 0.25 : 0.4, pumps: true))
      }
      if part % 8 >= 2 {
        for step in 0..<16 {
          let order = [0, 2, 4, 1, 3, 2, 4, 3][step % 8]
          song.add(
            glass(tones[order] + 12, song.seconds(0.4), velocity: step % 3 == 0 ? 1 : 0.6),
            at: start + Double(step) / 2,
            .init(gain: 0.13, pan: step % 2 == 0 ? -0.6 : 0.6, room: 0.35, echo: 0.45))
        }
      }
    }
    let kit = DrumKit.breaks
    let rolling = "x.xoxoxoxoxox.xo"
    if heavy {
      song.kick(kit.kick, "X.........x..... X..o......x.....", bars: 0..<32, .init(gain: 1.35))
      song.drum(kit.snare, "....X..o.o..X..o ....X..o.o..X.or", bars: 0..<32, .init(gain: 0.82, room: 0.12))
      song.drum(kit.clap, "....x.......x...", bars: 16..<32, .init(gain: 0.28, room: 0.2))
      song.drum(kit.hat, rolling, bars: 0..<32, .init(gain: 0.22, pan: 0.2))
      song.drum(kit.openHat, "..x...x...x...x.", bars: 8..<32, .init(gain: 0.18, pan: -0.3))
    } else {
      song.kick(kit.kick, "X.........x.....", bars: 2..<32, .init(gain: 0.68))
      song.drum(kit.snare, "....x.......x... ....x..o....x...", bars: 2..<32, .init(gain: 0.5, room: 0.15))
      song.drum(kit.hat, "x.o.x.o.x.o.x.o.", bars: 0..<32, .init(gain: 0.17, pan: 0.2))
      song.drum(kit.shaker, rolling, bars: 8..<32, .init(gain: 0.2, pan: -0.35))
    }
    for bar in [15, 31] { song.drum(kit.snare, "........o.o.oxxr", bars: bar..<bar + 1, .init(gain: 0.4, room: 0.2)) }
    for bar in [4, 20] { song.add(Stereo(both: kit.crash), at: Double(bar) * 4, .init(gain: 0.22, room: 0.4)) }
    for beat in heavy ? [32.0, 96] : [64] {
      song.melody(tune, from: beat, .init(gain: 0.22, pan: 0.05, room: 0.5, echo: 0.4)) { lead($0, $1, velocity: $2) }
    }
    song.melody(tune, from: heavy ? 64 : 32, .init(gain: 0.2, room: 0.6, echo: 0.4)) { note, _, _ in bell(note, 1.5) }
    return song.mixed(pump: 0.5, roomSeconds: 2.6, damping: 6_000, echoBeats: 1.5, warmth: heavy ? 1 : 0.8)
  }
}
