// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// Music alone, when nothing else is there any more: random verbs at random instants, held against the model the whole time.
extension Simulation {
  private static let verbs = [
    MusicPlay.name, MusicPlay.name, MusicPlay.name, MusicSeek.name, MusicStop.name, MusicPause.name, MusicResume.name,
    MusicGain.name, MusicCancel.name, CueFire.name, CueStop.name,
  ]

  mutating func playMusicAlone() throws {
    // For as long as it has to be silent until the model knows it.
    try step(200_000)
    try settle()
    // Apart from all else: what a seed asks before this does not hang on it.
    var verses = SeededRandom(seed: seed ^ 0x3051C)
    for _ in 0..<16 {
      for _ in 0...verses.next(below: 3) { send(RequestMaker.make(verses.pick(Self.verbs), world, &verses), 0) }
      try settle()
      try step(verses.integer(1...(verses.oneIn(3) ? 400_000 : 60_000)))
      try settle()
    }
    try ask(0, MusicStop.name, #"{"fadeUs":5000}"#)
    try ask(0, SoundStop.name, "{}")
    try ask(0, HapticsStop.name, "{}")
    try settle()
    // Cues that were fired may have sounds and touches yet.
    try step(3_000_000)
    try settle()
    try ask(0, MusicStop.name, #"{"fadeUs":5000}"#)
    try settle()
    try step(1_000_000)
    try settle()
  }
}
