// SPDX-License-Identifier: Apache-2.0

/// The first world of Freefall, THE BLOCK: a street corner in the afternoon. Boom-bap, an electric piano, an upright bass.
enum TheBlock {
  private static let upright = Synthesiser(
    wave: .triangle, sub: 0.15, decay: 0.35, sustain: 0.35, release: 0.06, cutoff: 500, sweepOctaves: 1.5,
    sweepDecay: 0.05, slide: 0.4, drive: 0.4, gain: 0.9)
  private static let whistle = Synthesiser(
    wave: .triangle, attack: 0.03, decay: 0.5, sustain: 0.8, release: 0.12, cutoff: 3_000, vibrato: .init(18, 5.4),
    slide: 1,
    gain: 0.6)

  private static let chords = [
    "F3 A3 C4 E4 G4", "E3 G3 B3 D4", "D3 F3 A3 C4 E4", "C3 E3 G3 B3 D4", "Bb3 D4 F4 A4", "A3 C4 E4 G4",
    "G3 Bb3 D4 F4 A4",
    "Bb3 C4 E4 G4",
  ]
  private static let roots = ["F2", "E2", "D2", "C2", "Bb1", "A1", "G1", "C2"]
  private static let tune = """
    -/1 C5/.5 D5/.5 F5/1 E5/.5 C5/.5 D5/1.5 B4/.5 G4/2 -/1 A4/.5 C5/.5 E5/1 D5/.5 C5/.5 B4/1.5 G4/.5 E4/2 \
    -/1 F5/.5 D5/.5 Bb4/1 D5/1 C5/1.5 A4/.5 E5/2 -/.5 D5/.5 Bb4/.5 A4/.5 G4/1 Bb4/1 C5/3 -/1
    """

  /// `heavy` is track b: quicker, and its drums in front.
  static func track(heavy: Bool) -> Stereo {
    let song = Song(bpm: heavy ? 95 : 88, bars: 16, swing: 0.6)
    for bar in 0..<16 {
      let start = Double(bar) * 4
      let tones = notes(chords[bar % 8])
      for (index, tone) in tones.enumerated() {
        let side = Float(index) / Float(tones.count - 1) - 0.5
        let late = 0.01 * Double(index)
        let place = Song.Place(gain: heavy ? 0.2 : 0.32, pan: side * 0.8, room: 0.25, echo: 0.08, pumps: true)
        song.add(electricPiano(tone, song.seconds(1.2)), at: start + late, place)
        song.add(electricPiano(tone, song.seconds(0.5), velocity: 0.7), at: start + 2.5 + late, place)
        if bar % 2 == 1 {
          song.add(electricPiano(tone, song.seconds(0.4), velocity: 0.8), at: start + 3.25 + late, place)
        }
      }
      let root = midi(Substring(roots[bar % 8])) ?? 40
      let walk: [(Double, Double, Float)] = [
        (0, 1.1, 0), (1.5, 0.4, 0), (2.5, 0.9, 7), (3.5, 0.45, bar % 2 == 0 ? 12 : 10),
      ]
      for (beat, beats, above) in walk {
        song.add(upright(root + above, song.seconds(beats)), at: start + beat, .init(gain: heavy ? 0.38 : 0.46))
      }
    }
    let kit = heavy ? DrumKit.deep : DrumKit.dusty
    let all = 0..<16
    if heavy {
      song.kick(kit.kick, "X..x..x...x..o.. X..x..x.o.x...x.", bars: all, .init(gain: 1.3))
      song.drum(kit.snare, "....X..o.o..X..o ....X..o....X.xr", bars: all, .init(gain: 0.75, room: 0.15))
      song.drum(kit.clap, "....x.......x...", bars: all, .init(gain: 0.42, room: 0.2))
      song.drum(kit.hat, "xoxoxoxoxorxxoxo", bars: all, .init(gain: 0.24, pan: 0.25))
      song.drum(kit.openHat, "..............x.", bars: all, .init(gain: 0.2, pan: -0.2))
    } else {
      song.kick(kit.kick, "X.....x...x..... X.....x..ox.....", bars: all, .init(gain: 0.62))
      song.drum(kit.snare, "....x.......x... ....x.......x..o", bars: all, .init(gain: 0.46, room: 0.15))
      song.drum(kit.hat, "x.o.x.o.x.o.x.o.", bars: all, .init(gain: 0.2, pan: 0.25))
      song.drum(kit.shaker, "..o...o...o...o.", bars: 8..<16, .init(gain: 0.25, pan: -0.4))
    }
    song.drum(kit.rim, "..........o..o..", bars: 4..<8, .init(gain: 0.3, pan: -0.3, room: 0.3))
    let sung = Song.Place(gain: heavy ? 0.22 : 0.25, pan: -0.1, room: 0.3, echo: 0.3)
    song.melody(tune, from: heavy ? 0 : 32, sung) { whistle($0, $1, velocity: $2) }
    song.melody(tune, from: heavy ? 32 : 0, .init(gain: 0.3, pan: 0.2, room: 0.3, echo: 0.3)) {
      electricPiano($0, $1, velocity: $2)
    }
    var mix = song.mixed(
      pump: heavy ? 0.4 : 0.2, roomSeconds: 1.2, damping: 3_800, echoBeats: 0.75, warmth: heavy ? 0.85 : 0.7, air: 1.2)
    mix.left = mix.left.worn(seed: 33)
    mix.right = mix.right.worn(seed: 34)
    return mix
  }
}
