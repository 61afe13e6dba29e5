// SPDX-License-Identifier: Apache-2.0

import SoundMeasures
import Testing

/// Every track as it is rendered: how long it is, how its loop closes, and whether its beats are where its tempo says. Tempos
/// are the designs'.
@Suite struct TrackTests {
  struct Track: Sendable, CustomTestStringConvertible {
    var pack: String
    var name: String
    var bpm: Double
    var testDescription: String { name }

    func sound() throws -> Sound { try RenderedPacks.sound(pack, name) }
    /// Frames of a bar of four beats.
    var bar: Double { 4 * 60 / bpm * 48_000 }
  }

  static let loops = [
    Track(pack: "starlight-sync", name: "audio_bgm_main", bpm: 85),
    Track(pack: "freefall", name: "world1-track-a", bpm: 88), Track(pack: "freefall", name: "world1-track-b", bpm: 95),
    Track(pack: "freefall", name: "world2-track-a", bpm: 172),
    Track(pack: "freefall", name: "world2-track-b", bpm: 174),
    Track(pack: "freefall", name: "world3-track-a", bpm: 160),
    Track(pack: "freefall", name: "world3-track-b", bpm: 165),
    Track(pack: "freefall", name: "world4-track-a", bpm: 132),
    Track(pack: "freefall", name: "world4-track-b", bpm: 138),
    Track(pack: "freefall", name: "intermission-track", bpm: 140),
  ]
  static let finale = Track(pack: "starlight-sync", name: "audio_bgm_finale", bpm: 85)

  @Test(arguments: loops) func aLoopIsAWholeNumberOfBarsToTheFrame(_ track: Track) throws {
    let frames = try track.sound().frames
    let bars = (Double(frames) / track.bar).rounded()
    #expect(bars >= 8)
    #expect(abs(Double(frames) - bars * track.bar) <= 0.5, "\(Double(frames) / track.bar) bars")
  }

  @Test(arguments: loops) func aLoopGoesOnFromItsLastFrameAtItsFirst(_ track: Track) throws {
    let sound = try track.sound()
    let around = sound.acrossSeam(4_800)
    for channel in [around.left, around.right] {
      let surprise = channel.surprise(at: 4_800)
      #expect(surprise < 5, "the first frame is \(surprise) times as far from what went before as is usual")
    }
    // A bar line like the others: no hole before it or behind it that there is nowhere else.
    func quietest(around frame: Int) -> Double {
      (-10..<10).map { sound.level(frame + 480 * $0..<frame + 480 * ($0 + 1)) }.min() ?? 0
    }
    let bars = Int((Double(sound.frames) / track.bar).rounded())
    let others = (1..<bars).map { quietest(around: Int((Double($0) * track.bar).rounded())) }
    let here = around.levels(every: 480).min() ?? 0
    // And where the millisecond is looked at: no gap that is too short for that.
    let lines = (1..<bars).map { Int((Double($0) * track.bar).rounded()) }
    let (gap, gaps) = (sound.quietestMillisecond(around: 0), lines.map { sound.quietestMillisecond(around: $0) })
    #expect(gap > (gaps.min() ?? 0) - 3, "\(gap) dB at the seam, \(gaps.min() ?? 0) dB at the quietest other bar")
    // A drum that is struck a few frames after the bar line surprises there in every bar.
    let surprise = sound.surprise(around: 0)
    let usual = lines.map { sound.surprise(around: $0) }.max() ?? 0
    #expect(surprise < max(5, usual), "\(surprise) within five frames of the seam, \(usual) at other bars")
    // Levels are those of the same 10 ms, from 100 ms before the bar line to 100 ms after it.
    #expect(here > (others.min() ?? 0) - 3, "\(here) dB at the seam, \(others.min() ?? 0) dB at the quietest other bar")
  }

  @Test(arguments: loops + [finale]) func whatIsPlayedBeginsOnTheBeatsOfItsTempo(_ track: Track) throws {
    let onsets = Onsets(try track.sound().middle)
    let on = onsets.strength(bpm: track.bpm)
    // Where nothing is written: a thirty-second after the beat, and one before it.
    for phase in [0.125, 0.875] {
      let between = onsets.strength(bpm: track.bpm, phase: phase)
      #expect(on > 1.6 * between, "\(on) on the beat, \(between) at \(phase) of it")
    }
    for percent in [-4, -2, -1, -0.5, 0.5, 1, 2, 4] {
      let other = onsets.strength(bpm: track.bpm * (1 + percent / 100))
      #expect(on > 1.15 * other, "\(on) at \(track.bpm) a minute, \(other) at \(percent) % more")
    }
  }

  @Test(arguments: loops + [finale]) func noSampleIsTooLargeAndNothingLeansToOneSide(_ track: Track) throws {
    let sound = try track.sound()
    // 1.5 dB below what a file can hold.
    #expect(sound.peak < 0.842)
    #expect(!sound.isClipped)
    #expect(sound.means.allSatisfy { abs($0) < 0.001 })
    // Nor is one side of it louder than the other.
    let (left, right) = (sound.left.level(of: 30...16_000), sound.right.level(of: 30...16_000))
    #expect(abs(left - right) < 1)
  }

  @Test(arguments: loops) func aLoopIsNowhereSilent(_ track: Track) throws {
    let sound = try track.sound()
    // In no second of it, nor in a fifth of one.
    #expect((sound.levels(every: 48_000).min() ?? -200) > -30)
    #expect((sound.levels(every: 9_600).min() ?? -200) > -38)
  }
}
