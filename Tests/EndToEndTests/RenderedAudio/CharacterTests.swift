// SPDX-License-Identifier: Apache-2.0

import SoundMeasures
import Testing

/// What the designs say of how music sounds.
@Suite struct CharacterTests {
  /// As it is sung: the number of the beat, how many it lasts, and which note (MIDI). Those from C5 up.
  private static let tune: [(beat: Double, beats: Double, note: Int)] = [
    (7, 0.5, 76), (7.5, 0.5, 79), (8, 1.5, 76), (9.5, 0.5, 74), (10, 1, 72), (14.5, 0.5, 72), (15, 0.5, 74),
    (15.5, 0.5, 76), (16, 1.5, 79), (17.5, 0.5, 76), (18, 1, 74), (19, 1, 72), (20, 3, 74), (23.5, 0.5, 76),
    (24, 1.5, 77), (25.5, 0.5, 76), (26, 1, 72),
  ]

  /// A newcomer hears twenty seconds of it.
  @Test func theTuneIsHeardWithinTheFirstBars() throws {
    let music = try RenderedPacks.sound("starlight-sync", "audio_bgm_main").middle
    let beat = 60.0 / 85 * 48_000
    let heard = Self.tune.filter { note in
      let length = min(1, note.beats)
      let part = music[Int((note.beat + 0.15 * length) * beat)..<Int((note.beat + 0.95 * length) * beat)]
      return Array(part).strongestTone(of: 72...83) == note.note
    }
    // Of a dozen semitones each is the strongest; chords alone have three of the seventeen.
    #expect(heard.count >= 13, "\(heard.count) of \(Self.tune.count) notes stand out")
    #expect(try #require(heard.first).beat * beat / 48_000 < 6)
  }

  @Test func theFinaleIsAtItsFullLevelFromItsFirstFrameAndEnds() throws {
    let finale = try RenderedPacks.sound("starlight-sync", "audio_bgm_finale")
    let whole = finale.level(0..<finale.frames)
    #expect(finale.level(0..<480) > whole, "\(finale.level(0..<480)) dB in 10 ms, \(whole) dB in all")
    #expect(finale.level(0..<48_000) > whole)
    // It dies away by itself: nothing is cut, and nothing would loop.
    let levels = finale.levels(every: 24_000)
    #expect(levels.suffix(10).max() ?? 0 < whole - 6)
    #expect(levels[levels.count - 1] < -70)
    #expect(finale.left.last == 0 && finale.right.last == 0)
  }

  @Test(arguments: 1...4) func theDrumsOfTrackBAreHeavierThanThoseOfTrackA(_ world: Int) throws {
    let (a, b) = (
      try RenderedPacks.sound("freefall", "world\(world)-track-a").middle,
      try RenderedPacks.sound("freefall", "world\(world)-track-b").middle
    )
    // Both are as loud as a whole.
    let low = b.drums(in: 30...150) - a.drums(in: 30...150)
    let middle = b.drums(in: 150...1_500) - a.drums(in: 150...1_500)
    #expect(low > 1, "kicks and toms: \(low) dB more")
    #expect(middle > 1, "snares and claps: \(middle) dB more")
    #expect(low + middle > 2.2)
  }

  /// The same harmony, so the same style: what differs is what is struck.
  @Test func trackBHasTheTonesOfTrackA() throws {
    func tones(_ letter: String) throws -> [[Double]] {
      try (1...4).map { Spectrum(try RenderedPacks.sound("freefall", "world\($0)-track-\(letter)").middle).tones }
    }
    let (a, b) = (try tones("a"), try tones("b"))
    for world in 0..<4 {
      let likeness = b.map { other in zip(a[world], other).reduce(0) { $0 + $1.0 * $1.1 } }
      #expect(likeness[world] > 0.8, "world \(world + 1): \(likeness[world])")
      #expect(likeness[world] == likeness.max(), "world \(world + 1) is like another: \(likeness)")
    }
  }

  @Test func theIntermissionIsHeavierThanEveryWorld() throws {
    let heavy = try RenderedPacks.sound("freefall", "intermission-track")
    for world in 1...4 {
      for letter in ["a", "b"] {
        let track = try RenderedPacks.sound("freefall", "world\(world)-track-\(letter)")
        #expect(heavy.loudness > track.loudness + 0.9)
      }
    }
    // Half of it lies where one feels it.
    #expect(Spectrum(heavy.middle).share(of: 20...150) > 0.5)
  }
}
