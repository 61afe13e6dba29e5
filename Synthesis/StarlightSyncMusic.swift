// SPDX-License-Identifier: Apache-2.0

/// The two tracks of Starlight Sync, in C and A minor at 85 beats a minute: lo-fi synthwave.
enum StarlightSyncMusic {
  static let pad = Synthesiser(
    unison: 5, detune: 22, attack: 0.35, decay: 1, sustain: 0.85, release: 0.4, cutoff: 1_500, sweepOctaves: 0.6,
    sweepDecay: 1.2, gain: 0.5)
  static let bass = Synthesiser(
    wave: .saw, sub: 0.6, decay: 0.25, sustain: 0.55, release: 0.05, cutoff: 320, sweepOctaves: 2.2, sweepDecay: 0.09,
    resonance: 0.2, drive: 0.8, gain: 0.8)
  static let lead = Synthesiser(
    wave: .saw, unison: 2, detune: 12, attack: 0.012, decay: 0.4, sustain: 0.7, release: 0.14, cutoff: 2_400,
    sweepOctaves: 0.9, sweepDecay: 0.25, vibrato: .init(14, 5.2), slide: 0.5, gain: 0.55)
  static let pluck = Synthesiser(
    wave: .square, unison: 2, detune: 9, decay: 0.16, sustain: 0.05, release: 0.12, cutoff: 1_100, sweepOctaves: 2.4,
    sweepDecay: 0.07, resonance: 0.25, gain: 0.5)

  /// The tune: it begins in the second bar's last beat, so that who comes in hears it at once.
  private static let tune = """
    E5/1.5 D5/.5 C5/1 G4/1 A4/2.5 C5/.5 D5/.5 E5/.5 \
    G5/1.5 E5/.5 D5/1 C5/1 D5/3 -/.5 E5/.5 \
    F5/1.5 E5/.5 C5/1 A4/1 G4/1.5 A4/.5 C5/1.5 D5/.5 \
    E5/1.5 D5/.5 B4/1 C5/1 A4/3 -/.5 D5/.5
    """
  private static let answer = """
    E5/1.5 D5/.5 C5/1 E5/1 A5/2.5 G5/.5 E5/.5 D5/.5 \
    G5/1.5 A5/.5 G5/.5 E5/.5 D5/.5 C5/.5 D5/2.5 E5/.5 D5/.5 C5/.5 \
    F5/1 A5/1 G5/1 E5/1 D5/1.5 E5/.5 C5/1.5 B4/.5 \
    C5/1.5 D5/.5 E5/.5 D5/.5 B4/1 A4/3 -/1
    """
  private static let bridge = """
    A4/2 C5/1 F5/1 E5/2 D5/1 B4/1 C5/2 E5/1 A5/1 G5/3 E5/1 \
    A4/2 C5/1 F5/1 G5/2 D5/1 G5/1 E5/3 D5/.5 C5/.5 B4/2 G#4/1 B4/1
    """

  private static let verse = ["A2", "F2", "C3", "G2", "F2", "C3", "E2", "A2"]
  private static let verseChords = [
    "A3 C4 E4 G4 B4", "A3 C4 E4 F4", "G3 C4 D4 E4", "G3 B3 D4 A4", "A3 C4 E4 F4", "G3 C4 E4 B4", "G3 B3 D4 E4",
    "A3 C4 E4 G4",
  ]
  private static let bridgeRoots = ["F2", "G2", "A2", "C3", "F2", "G2", "C3", "E2"]
  private static let bridgeChords = [
    "A3 C4 E4 F4", "B3 D4 F4 G4", "A3 C4 E4 G4", "G3 C4 E4 B4", "A3 C4 F4 G4", "B3 D4 E4 G4", "G3 C4 D4 E4",
    "G#3 B3 D4 E4",
  ]

  /// What is played in each bar of the main track, lowest first: two bars to come in, the tune, the tune with its answer, a
  /// bridge, and a way back.
  static let mainChords =
    (["A3 C4 E4 G4 B4", "A3 C4 E4 F4"] + verseChords + verseChords + bridgeChords + verseChords).map(notes)

  /// An empty main track: 34 bars, which are 96 s.
  static func emptyMain() -> Song { Song(bpm: 85, bars: mainChords.count, swing: 0.56) }

  static func main() -> Stereo {
    let song = emptyMain()
    let roots = ["A2", "F2"] + verse + verse + bridgeRoots + verse
    for bar in 0..<34 {
      let start = Double(bar) * 4
      let tones = mainChords[bar]
      let isThin = bar < 2 || bar >= 30
      for (index, tone) in tones.enumerated() {
        let side = Float(index) / Float(tones.count - 1) * 0.8 - 0.4
        song.add(pad(tone, song.seconds(3.9)), at: start, .init(gain: 0.16, pan: side, room: 0.5, pumps: true))
        // A hand on the electric piano: the chord on one, again before three, the fingers not quite together.
        let late = 0.012 * Double(index)
        song.add(
          electricPiano(tone, song.seconds(1.3)), at: start + late, .init(gain: 0.26, pan: side, room: 0.3, echo: 0.12))
        song.add(
          electricPiano(tone, song.seconds(1.6), velocity: 0.7), at: start + 1.75 + late,
          .init(gain: 0.22, pan: side, room: 0.3))
      }
      guard let root = midi(Substring(roots[bar])), bar >= 2 else { continue }
      let steps: [(Double, Double, Float)] =
        isTresillo(bar)
        ? [(0, 1.3, 0), (1.5, 1.3, 0), (3, 0.5, 12), (3.5, 0.5, 7)]
        : [(0, 1.2, 0), (1.5, 0.4, 0), (2, 0.9, 0), (3, 0.4, 7), (3.5, 0.45, 12)]
      for (beat, beats, above) in steps where !isThin || beat == 0 {
        song.add(bass(root + above, song.seconds(beats)), at: start + beat, .init(gain: 0.34, pumps: true))
      }
      // A run through the chord, in the sun from the second verse on.
      if bar >= 10, bar < 30 {
        for step in 0..<8 {
          let order = [0, 2, 1, 3, 2, 3, 1, 2][step]
          song.add(
            pluck(tones[order % tones.count] + 12, song.seconds(0.4), velocity: step % 2 == 0 ? 0.9 : 0.6),
            at: start + Double(step) / 2, .init(gain: 0.12, pan: step % 2 == 0 ? -0.5 : 0.5, room: 0.3, echo: 0.4))
        }
      }
    }
    drums(song)
    let sung = Song.Place(gain: 0.44, pan: 0.06, room: 0.35, echo: 0.3)
    song.melody("E5/.5 G5/.5", from: 7, sung) { lead($0, $1, velocity: $2) }
    song.melody(tune, from: 8, sung) { lead($0, $1, velocity: $2) }
    song.melody(answer, from: 40, sung) { lead($0, $1, velocity: $2) }
    song.melody(bridge, from: 72, sung) { lead($0, $1, velocity: $2) }
    song.melody(bridge, from: 72, .init(gain: 0.12, pan: -0.4, room: 0.5, echo: 0.3), transpose: 12) { note, _, _ in
      bell(note, 1, brightness: 0.4)
    }
    song.melody(tune, from: 104, .init(gain: 0.34, pan: 0.1, room: 0.5, echo: 0.35)) {
      electricPiano($0, $1, velocity: $2)
    }
    var mix = song.mixed(pump: 0.35, roomSeconds: 1.9, damping: 4_200, echoBeats: 0.75, warmth: 0.8)
    mix.left = mix.left.worn(seed: 31)
    mix.right = mix.right.worn(seed: 32)

    return mix
  }

  /// Bars with the kick on one, on the half after two, and on four: the chapter's beats go with it.
  private static func isTresillo(_ bar: Int) -> Bool { [8, 9, 12, 13, 16, 17, 24, 25].contains(bar) }

  private static func drums(_ song: Song) {
    let kit = DrumKit.dusty
    let snare = DrumKit.gated.snare
    for bar in 2..<34 {
      let range = bar..<bar + 1
      let isThin = bar >= 30
      let kick = isTresillo(bar) ? "X.....x.....x..." : bar % 2 == 0 ? "X.......x......." : "X.....o.x.o....."
      song.kick(kit.kick, isThin ? "X..............." : kick, bars: range, .init(gain: 0.75))
      if !isThin {
        song.drum(kit.snare, "....x.......x..o", bars: range, .init(gain: 0.42, pan: 0.05, room: 0.2))
        song.drum(snare, "....x.......x...", bars: range, .init(gain: bar >= 10 ? 0.34 : 0.18))
      }
      song.drum(kit.hat, bar < 10 ? "x.o.x.o.x.o.x.oo" : "xoooxoooxoooxoro", bars: range, .init(gain: 0.2, pan: 0.25))
      if bar >= 10, !isThin { song.drum(kit.openHat, "..............x.", bars: range, .init(gain: 0.13, pan: -0.3)) }
    }
    song.drum(kit.hat, "....x.....o.x.o.", bars: 0..<2, .init(gain: 0.15, pan: 0.25))
    // Something leads over wherever a part begins.
    for bar in [9, 17, 25] { song.drum(kit.tom, "............x.xr", bars: bar..<bar + 1, .init(gain: 0.4, room: 0.3)) }
    for bar in [2, 10, 18] {
      song.add(Stereo(both: kit.crash), at: Double(bar) * 4, .init(gain: 0.16, pan: -0.2, room: 0.3))
    }
    song.drum(kit.snare, "........o.oxoxxr", bars: 33..<34, .init(gain: 0.3, room: 0.3))
  }

  /// 26 bars that are played once: the tune in the major, at full from its first frame, and a chord to end on.
  static func finale() -> Stereo {
    let song = Song(bpm: 85, bars: 26, swing: 0.53, loops: false, tail: 4)
    let roots = ["C3", "G2", "A2", "F2", "C3", "G2", "F2", "G2"]
    let chords = [
      "G3 C4 E4 G4", "G3 B3 D4 G4", "A3 C4 E4 G4", "A3 C4 F4 G4", "G3 C4 E4 B4", "G3 B3 D4 E4", "A3 C4 E4 F4",
      "A3 B3 D4 G4",
    ]
    for bar in 0..<25 {
      let start = Double(bar) * 4
      let isVerse = bar >= 8 && bar < 16
      let isEnd = bar == 24
      let tones = notes(isEnd ? "G3 C4 E4 G4 D5" : chords[bar % 8])
      for (index, tone) in tones.enumerated() {
        let side = Float(index) / Float(tones.count - 1) - 0.5
        let beats = isEnd ? 7.5 : 3.95
        var bright = pad
        bright.cutoff = isVerse ? 1_600 : 2_800
        bright.attack = bar == 0 || isEnd ? 0.01 : 0.12
        song.add(bright(tone, song.seconds(beats)), at: start, .init(gain: 0.2, pan: side, room: 0.5, pumps: true))
        song.add(
          electricPiano(tone, song.seconds(isEnd ? 6 : 1.8)), at: start + 0.01 * Double(index),
          .init(gain: 0.22, pan: side, room: 0.3))
      }
      let root = midi(Substring(isEnd ? "C3" : roots[bar % 8])) ?? 48
      for step in 0..<(isEnd ? 1 : 8) {
        let above: Float = [0, 0, 12, 0, 0, 7, 12, 7][step]
        song.add(
          bass(root + above, song.seconds(isEnd ? 6 : 0.42)), at: start + Double(step) / 2,
          .init(gain: isVerse ? 0.28 : 0.32, pumps: true))
      }
      if !isEnd {
        for step in 0..<16 where !isVerse || step % 2 == 0 {
          let order = [0, 1, 2, 3, 1, 2, 3, 2][step % 8]
          song.add(
            pluck(tones[order % tones.count] + 12, song.seconds(0.22), velocity: step % 4 == 0 ? 1 : 0.65),
            at: start + Double(step) / 4, .init(gain: 0.13, pan: step % 2 == 0 ? -0.6 : 0.6, room: 0.3, echo: 0.3))
        }
      }
    }
    finaleDrums(song)
    finaleTune(song)
    var mix = song.mixed(pump: 0.4, roomSeconds: 2.4, damping: 5_500, echoBeats: 0.75, warmth: 0.8)

    mix.right = mix.right.faded(0, 1)
    mix.left = mix.left.faded(0, 1)
    return mix
  }

  private static func finaleDrums(_ song: Song) {
    let kit = DrumKit.gated
    for (from, to) in [(0, 8), (16, 24)] {
      song.kick(kit.kick, "X...x...X...x...", bars: from..<to, .init(gain: 0.75))
      song.drum(kit.snare, "....x.......x...", bars: from..<to, .init(gain: 0.6, room: 0.2))
      song.drum(kit.hat, "xoxoxoxoxoxoxoxo", bars: from..<to, .init(gain: 0.17, pan: 0.3))
      song.drum(kit.openHat, "..x...x...x...x.", bars: from..<to, .init(gain: 0.2, pan: -0.25))
    }
    song.kick(kit.kick, "X.......x.......", bars: 8..<16, .init(gain: 0.7))
    song.drum(DrumKit.dusty.snare, "....x.......x...", bars: 8..<16, .init(gain: 0.4, room: 0.25))
    song.drum(kit.shaker, "xoxoxoxoxoxoxoxo", bars: 8..<16, .init(gain: 0.22, pan: 0.3))
    for bar in [7, 15, 23] { song.drum(kit.tom, "........x.x.xxxr", bars: bar..<bar + 1, .init(gain: 0.42, room: 0.3)) }
    for bar in [0, 8, 16, 24] { song.add(Stereo(both: kit.crash), at: Double(bar) * 4, .init(gain: 0.25, room: 0.3)) }
    song.kick(kit.kick, "X...............", bars: 24..<25, .init(gain: 0.8))
  }

  private static func finaleTune(_ song: Song) {
    let chorus = """
      E5/1.5 G5/1.5 C6/1 B5/1.5 G5/1.5 D5/1 E5/1.5 A5/1.5 C6/1 A5/2 G5/1 E5/1 \
      E5/1.5 G5/1.5 C6/1 D6/1.5 B5/1.5 G5/1 A5/1.5 C6/1.5 E6/1 D6/3 -/.5 D5/.5
      """
    let verse = """
      C5/2 E5/1 G5/1 D5/3 B4/1 C5/1.5 B4/.5 A4/1 E5/1 F5/2 E5/1 C5/1 \
      E5/2 G5/1 B5/1 G5/2 E5/1 D5/1 C5/1.5 D5/.5 E5/1 F5/1 G5/2 A5/1 B5/1
      """
    var bright = lead
    bright.cutoff = 3_400
    bright.slide = 0
    bright.attack = 0.004
    let sung = Song.Place(gain: 0.3, pan: 0.05, room: 0.4, echo: 0.3)
    for beat in [0.0, 64] {
      song.melody(chorus, from: beat, sung) { bright($0, $1, velocity: $2) }
      song.melody(chorus, from: beat, .init(gain: 0.16, pan: -0.35, room: 0.5), transpose: beat == 0 ? 0 : -12) {
        bright($0, $1, velocity: $2)
      }
      song.melody(chorus, from: beat, .init(gain: 0.14, pan: 0.4, room: 0.5, echo: 0.3)) { note, _, _ in bell(note, 1.2)
      }
    }
    song.melody(verse, from: 32, sung) { lead($0, $1, velocity: $2) }
    song.melody("C6/7", from: 96, sung) { bright($0, $1, velocity: $2) }
    song.melody("G5/.25 C6/.25 E6/.25 G6/3", from: 97, .init(gain: 0.2, room: 0.6, echo: 0.5)) { note, _, _ in
      bell(note, 2)
    }
  }
}

extension [Float] {
  /// As an old record has it: a little hiss and a click here and there, and less treble.
  func worn(seed: UInt32) -> [Float] {
    var dust = Noise(seed)
    var click: Float = 0
    let dull = (suffix(4_800) + self).low(9_500).dropFirst(4_800)
    return dull.map { sample in
      let draw = dust.next()
      if abs(draw) > 0.99993 { click = 0.02 * dust.next() }
      click *= 0.8
      return sample + click + 0.0007 * draw
    }
  }
}
