// SPDX-License-Identifier: Apache-2.0

/// The fourth world of Freefall, STATIC: a machine that loses its signal. Techno of few parts, an acid line, hiss.
enum Static {
  private static let acid = Synthesiser(
    wave: .saw, decay: 0.14, sustain: 0.25, release: 0.04, cutoff: 260, sweepOctaves: 2.6, sweepDecay: 0.09,
    resonance: 0.78, drive: 1.5, gain: 0.6)
  private static let rumble = Synthesiser(
    wave: .sine, attack: 0.02, decay: 0.2, sustain: 0.7, release: 0.04, cutoff: 300, drive: 1.5, gain: 0.9)
  private static let dub = Synthesiser(
    unison: 4, detune: 18, attack: 0.003, decay: 0.18, sustain: 0.05, release: 0.2, cutoff: 700, sweepOctaves: 1.8,
    sweepDecay: 0.12, resonance: 0.35, gain: 0.7)
  private static let signal = Synthesiser(
    wave: .sine, attack: 0.01, decay: 0.3, sustain: 0.6, release: 0.3, cutoff: 6_000, vibrato: .init(30, 7), gain: 0.5)

  private static let chords = ["E4 G4 B4 D5", "E4 G4 C5 D5", "D4 F#4 A4 C5", "C4 E4 G4 B4"]
  private static let roots = ["E2", "C2", "D2", "A1"]
  /// Semitones above the root for each sixteenth; -1 rests.
  private static let line = [0, -1, 0, 12, -1, 0, 3, -1, 0, 0, -1, 10, -1, 7, 12, -1]
  private static let tune = """
    B5/3 G5/1 E5/4 B5/2 D6/2 C6/3 A5/1 F#5/4 A5/2 C6/2 B5/3 G5/1 E5/3 -/1
    """

  static func track(heavy: Bool) -> Stereo {
    let song = Song(bpm: heavy ? 138 : 132, bars: 24)
    for bar in 0..<24 {
      let start = Double(bar) * 4
      let chord = bar / 2 % 4
      let tones = notes(chords[chord])
      let root = midi(Substring(roots[chord])) ?? 40
      // The filter opens over eight bars and closes again.
      let open = Float(bar % 8) / 8
      var voice = acid
      voice.cutoff = 200 + 500 * open
      for (step, above) in line.enumerated() where above >= 0 && (heavy || bar >= 2) {
        song.add(
          voice(root + 12 + Float(above), song.seconds(0.22), velocity: step % 4 == 3 ? 1 : 0.75),
          at: start + Double(step) / 4, .init(gain: heavy ? 0.2 : 0.28, pan: 0.15, room: 0.15, echo: 0.2, pumps: true))
      }
      for step in 0..<4 {
        for part in [0.25, 0.5, 0.75] {
          song.add(
            rumble(root, song.seconds(0.22)), at: start + Double(step) + part,
            .init(gain: heavy ? 0.12 : 0.24, pumps: true))
        }
      }
      for beat in bar % 2 == 0 ? [0.75, 2.5] : [1.75] {
        for (index, tone) in tones.enumerated() {
          song.add(
            dub(tone, song.seconds(0.3)), at: start + beat,
            .init(gain: heavy ? 0.24 : 0.3, pan: Float(index) * 0.3 - 0.45, room: 0.5, echo: 0.7))
        }
      }
    }
    let kit = DrumKit.deep
    let bars = 0..<24
    if heavy {
      song.kick(kit.kick, "X...X...X...X... X...X...X...X.x.", bars: bars, .init(gain: 1.6))
      song.drum(kit.clap, "....x.......x...", bars: bars, .init(gain: 1.25, room: 0.2))
      song.drum(kit.snare, "...........o..o. .......o..o..oxr", bars: 8..<24, .init(gain: 0.42, room: 0.15))
      song.drum(kit.hat, "xoxoxoxoxoxoxorx", bars: bars, .init(gain: 0.5, pan: 0.25))
      song.drum(kit.openHat, "..x...x...x...x.", bars: bars, .init(gain: 0.5, pan: -0.15))
      song.drum(kit.tom, "...x..x...x.....", bars: bars, .init(gain: 0.5, pan: -0.3, room: 0.2))
    } else {
      song.kick(kit.kick, "X...X...X...X...", bars: bars, .init(gain: 0.33))
      song.drum(kit.clap, "....x.......x...", bars: 8..<24, .init(gain: 0.34, room: 0.3))
      song.drum(kit.hat, "..x...x...x...x.", bars: 0..<24, .init(gain: 0.18, pan: 0.2))
      song.drum(kit.shaker, "xoxoxoxoxoxoxoxo", bars: 8..<24, .init(gain: 0.13, pan: -0.35))
    }
    for bar in stride(from: 0, to: 24, by: 2) {
      song.add(interference(UInt32(40 + bar)), at: Double(bar) * 4 + 3, .init(gain: 0.12, room: 0.3, echo: 0.2))
    }
    song.melody(tune, from: 32, .init(gain: 0.2, pan: -0.2, room: 0.6, echo: 0.5)) { signal($0, $1, velocity: $2) }
    song.melody(tune, from: 64, .init(gain: 0.2, pan: 0.2, room: 0.6, echo: 0.5)) { signal($0, $1, velocity: $2) }
    return song.mixed(pump: 0.6, roomSeconds: 2.4, damping: 3_400, echoBeats: 0.75, warmth: 0.9, air: 1.5)
  }

  /// A burst of lost signal: noise that is held, cut and swept.
  private static func interference(_ seed: UInt32) -> Stereo {
    var source = Noise(seed)
    var held: Float = 0
    var length = 1
    var filter = StateVariable(2_000, resonance: 0.5)
    var index = 0
    let burst = samples(0.4) { time in
      if index % length == 0 {
        held = source.next()
        length = 1 + Int(30 * abs(source.next()) * (1 - time))
      }
      index += 1
      filter.tune(600 + 9_000 * time, 0.5)
      return filter(Int(time * 36) % 3 == 0 ? 0 : held).band
    }
    return Stereo(both: burst.faded(0.002, 0.05))
  }
}

/// What plays while the ball of Freefall is chased through an intermission: half as slow as it counts, and all weight.
enum Intermission {
  private static let growl = Synthesiser(
    unison: 3, detune: 30, sub: 0.7, attack: 0.005, decay: 0.5, sustain: 0.9, release: 0.05, cutoff: 500,
    resonance: 0.5,
    wobble: .init(4.667, 1.8), drive: 2.5, gain: 0.7)
  private static let siren = Synthesiser(
    unison: 3, detune: 24, attack: 0.01, decay: 0.3, sustain: 0.7, release: 0.15, cutoff: 2_200, sweepOctaves: 1,
    resonance: 0.3, vibrato: .init(35, 6), slide: 3, drive: 1, gain: 0.5)
  private static let stab = Synthesiser(
    unison: 5, detune: 30, attack: 0.003, decay: 0.2, sustain: 0.3, release: 0.2, cutoff: 1_500, sweepOctaves: 1.5,
    gain: 0.6)

  static func track() -> Stereo {
    let song = Song(bpm: 140, bars: 16)
    let roots: [Float] = [29, 29, 32, 27]
    for bar in 0..<16 {
      let start = Double(bar) * 4
      let root = roots[bar / 2 % 4]
      // The wobble counts in triplets, quavers and quicker ones by turns.
      for (beat, beats, speed) in [(0.0, 1.5, Float(1)), (1.5, 0.5, 2), (2, 1, 1.5), (3, 1, bar % 2 == 0 ? 3 : 0.5)] {
        var voice = growl
        voice.wobble = .init(140 / 60 * 2 * speed, 1.8)
        song.add(
          voice(root + (beat == 3 ? 24 : 12), song.seconds(beats * 0.96)), at: start + beat,
          .init(gain: 0.42, room: 0.06, pumps: true))
      }
      for above: Float in [24, 27, 31, 36] {
        song.add(stab(root + above, song.seconds(0.4)), at: start, .init(gain: 0.16, pan: (above - 30) / 10, room: 0.4))
        if bar % 2 == 1 {
          song.add(
            stab(root + above, song.seconds(0.3)), at: start + 2.5, .init(gain: 0.14, pan: (30 - above) / 10, room: 0.4)
          )
        }
      }
    }
    let kit = DrumKit.deep
    song.kick(kit.kick, "X.....x...x..... X..x......x...x.", bars: 0..<16, .init(gain: 0.75))
    song.drum(DrumKit.gated.snare, "........X.......", bars: 0..<16, .init(gain: 0.95, room: 0.2))
    song.drum(kit.clap, "........x.......", bars: 0..<16, .init(gain: 0.4, room: 0.2))
    song.drum(kit.hat, "xoxoxoxxxoxoxrxo", bars: 0..<16, .init(gain: 0.24, pan: 0.25))
    song.drum(kit.tom, "............x.xr", bars: 7..<8, .init(gain: 0.6, room: 0.3))
    song.drum(kit.snare, "........oooxoxxr", bars: 15..<16, .init(gain: 0.5, room: 0.2))
    song.melody(
      "C5/3 Ab4/1 F4/3 -/1 Eb5/3 C5/1 Ab4/2 Bb4/2 C5/3 Ab4/1 F5/3 -/1 Eb5/2 Db5/2 C5/3 -/1", from: 32,
      .init(gain: 0.3, pan: -0.1, room: 0.4, echo: 0.3)
    ) { siren($0, $1, velocity: $2) }
    return song.mixed(pump: 0.5, roomSeconds: 1.6, damping: 4_500, echoBeats: 0.75, warmth: 1.6, air: 1.4)
  }
}
