// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The bells of the chapter Firewall, a stem of the main track: each beat of the chapter's map is struck at its frame, by a
/// bell of its lane, on a tone of the chord that is played there.
enum StarlightSyncBells {
  /// From which note up the octave of a lane's bell lies, and on which side it is heard.
  private static let lanes: [(name: String, lowest: Float, pan: Float)] = [
    ("left", 79, -0.45), ("right", 84, 0.45), ("top", 89, 0),
  ]

  /// Which tone of its bar's chord a lane strikes, counted from the lowest: left, right and top; in the chapter's 16 bars.
  private static let tones = [
    "024", "010", "024", "010", "030", "123", "010", "023", "120", "013", "024", "010", "030", "123", "010", "023",
  ].map { $0.compactMap(\.wholeNumberValue) }

  /// How large a bell is: a little softer than the music, and with it within what a sample holds.
  private static let size: Float = 0.25

  /// As long as the main track, and silent but for the bells.
  static func stem(_ map: BeatMap) throws -> Stereo {
    let song = StarlightSyncMusic.emptyMain()
    // Nothing rings on for longer than this.
    let tail = Int(4 * rate)
    var bells = Stereo(frames: (map.beats.last?.frame ?? 0) + tail)
    var room = bells
    var rings: [Float: Stereo] = [:]
    let mallet = mallet()
    for beat in map.beats {
      let bar = Int(beat.at * song.bpm / 240 + 1e-6)
      guard let lane = lanes.firstIndex(where: { $0.name == beat.lane }), tones.indices.contains(bar) else {
        throw Fault("no bell is composed for lane \(beat.lane) at \(beat.at) s")
      }
      var note = StarlightSyncMusic.mainChords[bar][tones[bar][lane]]
      while note < lanes[lane].lowest { note += 12 }
      let sound = rings[note] ?? ring(note)
      rings[note] = sound
      let angle = (lanes[lane].pan + 1) * .pi / 4
      let (left, right) = (cosf(angle) * size, sinf(angle) * size)
      bells.add(sound, at: beat.frame, left, right, wraps: false)
      bells.add(mallet, at: beat.frame, left, right, wraps: false)
      room.add(sound, at: beat.frame, left * 0.3, right * 0.3, wraps: false)
    }
    bells.add(reverberated(room, seconds: 1.9, damping: 4_200, loops: false), gain: 1)
    bells = Stereo(left: bells.left.faded(0, 0.5), right: bells.right.faded(0, 0.5))
    var stem = Stereo(frames: song.frames)
    stem.add(bells, at: 0, 1, 1, wraps: false)
    return stem
  }

  /// A small bell that rings for a second and a half, its partials nearly those of a string, so that it is in tune with
  /// chords.
  private static func ring(_ note: Float) -> Stereo {
    let base = hertz(note)
    let partials: [(ratio: Float, size: Float, length: Float)] = [
      (0.5, 0.12, 0.3), (1, 1, 0.42), (2.003, 0.32, 0.26), (3.01, 0.16, 0.14), (4.2, 0.1, 0.08), (5.43, 0.07, 0.045),
    ]
    var wave = [Float](repeating: 0, count: Int(1.6 * rate))
    for partial in partials where base * partial.ratio < 18_000 {
      // A rotation and a decay, frame by frame.
      let step = 2 * Float.pi * base * partial.ratio / rate
      let fall = expf(-1 / (partial.length * rate))
      let (turn, lift) = (cosf(step) * fall, sinf(step) * fall)
      var (x, y) = (partial.size * 0.6, Float(0))
      for frame in wave.indices {
        wave[frame] += y
        (x, y) = (x * turn - y * lift, x * lift + y * turn)
      }
    }
    return Stereo(both: wave.faded(0, 0.2))
  }

  /// What strikes it: at its loudest in its first frame, so that it is where the beat is and nowhere else.
  private static func mallet() -> Stereo {
    var noise = Noise(5)
    return Stereo(both: (0..<240).map { 0.22 * ($0 == 0 ? 1 : noise.next()) * expf(-Float($0) / 40) })
  }
}
