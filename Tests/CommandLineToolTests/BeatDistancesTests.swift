// SPDX-License-Identifier: Apache-2.0

import Rhythm
import Testing

@testable import CommandLineTool

@Suite struct BeatDistancesTests {
  @Test func eachBeatHasTheNearestOnset() {
    let beats = [Beat(at: 1_000_000, lane: 1), Beat(at: 1_500_000, lane: 0), Beat(at: 9_000_000, lane: 0)]
    let distances = BeatDistances(
      beats, lanes: ["a", "b"], onsets: [200_000, 990_000, 1_020_000, 1_531_000, 8_499_999])
    #expect(distances.all.map(\.onsetUs) == [-10_000, 31_000, nil])
    #expect(distances.all.map(\.lane) == ["b", "a", "a"] && distances.all.map(\.beat) == [0, 1, 2])
    #expect(distances.far(30_000).map(\.beat) == [1, 2] && distances.far(31_000).map(\.beat) == [2])
    #expect(BeatDistances(beats, lanes: ["a", "b"], onsets: []).known.isEmpty)
    #expect(BeatDistances([], onsets: [1]).medianUs == nil)
  }

  @Test func theNearestIsTheOneThatASearchThroughAllFinds() {
    let beats = stride(from: Int64(0), to: 20_000_000, by: 137_000).map { Beat(at: $0) }
    let onsets = stride(from: Int64(50_000), to: 20_000_000, by: 211_000).map { $0 }
    let slow = beats.map { beat in onsets.map { $0 - beat.at }.min { abs($0) < abs($1) } }
    #expect(zip(BeatDistances(beats, onsets: onsets).all, slow).allSatisfy { abs($0.onsetUs ?? 0) == abs($1 ?? 0) })
  }

  @Test func whatIsHeardIsReadAndSnapped() {
    #expect(AubioTools.times("0.000000 \n0.522449\t\n\nnan\n-1\n1.044898\n") == [0, 522_449, 1_044_898])
    #expect(DetectedBeats.snapped([1_000_000, 2_000_000], to: [1_039_000, 2_041_000]) == [1_039_000, 2_000_000])
  }

  @Test func aTempoIsThatOfEvenBeats() {
    let even = (0..<16).map { Int64($0) * 500_000 }
    #expect(DetectedBeats.tempo(even) == 120)
    // One that was missed changes nothing; beats all over the place have none.
    #expect(DetectedBeats.tempo(even.filter { $0 != 4_000_000 }) == 120)
    #expect(DetectedBeats.tempo(even.map { $0 * $0 / 1_000_000 }) == nil)
    #expect(DetectedBeats.tempo(Array(even.prefix(7))) == nil)
  }

  @Test func tapsAreKeptAsTheyComeAndTakenBack() {
    var record = TapRecord()
    record.takeBack()
    for at in [-1, 5, 9] as [Int64] { record.add(atUs: at, lane: nil) }
    record.takeBack()
    #expect(record.beats == [Beat(at: 5)])
  }
}
