// SPDX-License-Identifier: Apache-2.0

/// The third world of Freefall, UNDERGROUND: a tunnel, low and dark. Footwork: triplets of toms, stabs, a long bass.
enum Underground {
  private static let low = Synthesiser(
    wave: .sine, attack: 0.004, decay: 0.6, sustain: 0.5, release: 0.12, cutoff: 1_200, slide: -5, drive: 2, gain: 0.9)
  private static let stab = Synthesiser(
    unison: 5, detune: 26, attack: 0.003, decay: 0.13, sustain: 0.1, release: 0.18, cutoff: 900, sweepOctaves: 2.2,
    sweepDecay: 0.1, resonance: 0.3, gain: 0.6)
  private static let drone = Synthesiser(
    unison: 3, detune: 12, attack: 1, decay: 1, sustain: 1, release: 0.5, cutoff: 350, resonance: 0.2,
    wobble: .init(0.17, 0.8), gain: 0.6)
  private static let reed = Synthesiser(
    wave: .square, unison: 2, detune: 8, attack: 0.01, decay: 0.3, sustain: 0.6, release: 0.1, cutoff: 1_300,
    sweepOctaves: 1, resonance: 0.35, vibrato: .init(20, 6), slide: 1, gain: 0.5)

  private static let chords = ["D4 F4 A4 C5", "D4 F4 Bb4 C5", "C4 Eb4 G4 Bb4", "C#4 E4 G4 Bb4"]
  private static let roots = ["D2", "Bb1", "C2", "A1"]
  private static let tune = """
    D5/.75 F5/.75 E5/.5 D5/1 A4/1 -/1 C5/.75 D5/.75 F5/1.5 G5/.75 F5/.75 Eb5/.5 C5/1 G4/1 -/1 Bb4/.75 A4/.75 E5/1.5
    """

  static func track(heavy: Bool) -> Stereo {
    let song = Song(bpm: heavy ? 165 : 160, bars: 32)
    for part in 0..<16 {
      let start = Double(part) * 8
      let tones = notes(chords[part % 4])
      let root = midi(Substring(roots[part % 4])) ?? 38
      song.add(drone(root + 12, song.seconds(7.8)), at: start, .init(gain: 0.3, room: 0.6, pumps: true))
      song.add(drone(root + 19, song.seconds(7.8)), at: start, .init(gain: 0.18, pan: 0.4, room: 0.6, pumps: true))
      let hits: [(Double, Double)] =
        heavy
        ? [(0, 1.3), (1.5, 0.7), (3, 0.8), (4, 1.3), (5.5, 0.7), (6.5, 0.4), (7, 0.9)]
        : [(0, 2.6), (3, 0.8), (5.5, 2.2)]
      for (index, hit) in hits.enumerated() {
        let above: Float = index == 2 ? 7 : index == 6 ? 12 : 0
        song.add(low(root + above, song.seconds(hit.1)), at: start + hit.0, .init(gain: heavy ? 0.22 : 0.4))
      }
      for (beat, velocity) in [(0.75, Float(0.8)), (2.25, 1), (3.75, 0.6), (5.25, 0.9), (6.75, 0.7)] {
        for (index, tone) in tones.enumerated() {
          song.add(
            stab(tone, song.seconds(0.3), velocity: velocity), at: start + beat,
            .init(gain: heavy ? 0.24 : 0.22, pan: Float(index) * 0.3 - 0.45, room: 0.4, echo: 0.4))
        }
      }
    }
    let kit = DrumKit.deep
    // Twelve to a bar: the toms and hats run in triplets against the kick.
    let toms = "o..x.o..xo.x o.x..x.o.xox"
    if heavy {
      song.kick(kit.kick, "X..x..X...x..x.. X..x..X..x..x.x.", bars: 0..<32, .init(gain: 1.5))
      song.drum(kit.clap, "........X.......", bars: 0..<32, .init(gain: 1, room: 0.25))
      song.drum(kit.snare, "....o...x.....o. ....o...x..o..xr", bars: 8..<32, .init(gain: 0.5, room: 0.15))
      song.drum(kit.hat, "xoxxoxxoxxox", bars: 0..<32, .init(gain: 0.42, pan: 0.3))
      song.drum(kit.openHat, "..x...x...x...x.", bars: 16..<32, .init(gain: 0.2, pan: -0.3))
      song.drum(kit.tom, toms, bars: 0..<32, .init(gain: 0.6, pan: -0.25, room: 0.2))
    } else {
      song.kick(kit.kick, "X.....x.........", bars: 0..<32, .init(gain: 0.27))
      song.drum(kit.clap, "........x.......", bars: 4..<32, .init(gain: 0.5, room: 0.35))
      song.drum(kit.hat, "x.ox.ox.ox.o", bars: 0..<32, .init(gain: 0.15, pan: 0.3))
      song.drum(kit.tom, toms, bars: 4..<32, .init(gain: 0.32, pan: -0.25, room: 0.3))
    }
    song.drum(
      kit.rim, "...x......x..x..", bars: 0..<32, .init(gain: heavy ? 0.55 : 0.34, pan: 0.45, room: 0.4, echo: 0.2))
    let sung = Song.Place(gain: 0.26, pan: 0.1, room: 0.5, echo: 0.5)
    for beat in heavy ? [32.0, 48, 96, 112] : [64.0, 80] {
      song.melody(tune, from: beat, sung) { reed($0, $1, velocity: $2) }
    }
    return song.mixed(
      pump: 0.45, roomSeconds: 3.2, damping: 2_600, echoBeats: 0.75, warmth: heavy ? 0.9 : 0.8, air: 1.5)
  }
}
