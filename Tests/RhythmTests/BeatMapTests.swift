// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Rhythm

@Suite struct BeatMapTests {
  private func refusal(_ beats: [Beat], lanes: [String] = [], length: Int64 = 1_000_000) -> BeatMapError? {
    do throws(BeatMapError) {
      _ = try BeatMap(beats: beats, lanes: lanes, length: length)
      return nil
    } catch { return error }
  }

  @Test func aMapIsTakenAsItIs() throws {
    let map = try BeatMap(
      beats: [Beat(at: 0, lane: 1), Beat(at: 1_000_000, lane: 0)], lanes: ["left", "right"], length: 1_000_000)
    #expect(map.beats.map(\.at) == [0, 1_000_000])
    #expect(map.lane(named: "right") == 1)
    #expect(map.lane(named: "top") == nil)
  }

  @Test func timesMustIncreaseAndStayInside() {
    #expect(refusal([]) == .noBeats)
    #expect(refusal([Beat(at: 5), Beat(at: 5)]) == .notIncreasing(beat: 1, at: 5, previous: 5))
    #expect(refusal([Beat(at: 50_000), Beat(at: 5)]) == .notIncreasing(beat: 1, at: 5, previous: 50_000))
    #expect(refusal([Beat(at: -1)]) == .outsideTrack(beat: 0, at: -1, length: 1_000_000))
    #expect(refusal([Beat(at: 1_000_001)]) == .outsideTrack(beat: 0, at: 1_000_001, length: 1_000_000))
    #expect(refusal([Beat(at: 0), Beat(at: 19_999)]) == .tooClose(beat: 1, spacing: 19_999, minimum: 20_000))
    #expect(refusal([Beat(at: 0), Beat(at: 20_000)]) == nil)
    #expect(refusal([Beat(at: 0)], length: 0) == .lengthOutOfRange(length: 0))
    #expect(refusal([Beat(at: 0)], length: .max) == .lengthOutOfRange(length: .max))
    #expect(refusal([Beat(at: .min), Beat(at: .max)]) == .outsideTrack(beat: 0, at: .min, length: 1_000_000))
  }

  @Test func lanesAreForAllBeatsOrForNone() {
    #expect(refusal([Beat(at: 0)], lanes: ["a"]) == .beatWithoutLane(beat: 0))
    #expect(refusal([Beat(at: 0, lane: 0)]) == .unknownLane(beat: 0, lane: 0))
    #expect(refusal([Beat(at: 0, lane: 2)], lanes: ["a", "b"]) == .unknownLane(beat: 0, lane: 2))
    #expect(refusal([Beat(at: 0, lane: -1)], lanes: ["a", "b"]) == .unknownLane(beat: 0, lane: -1))
    #expect(refusal([Beat(at: 0, lane: 0)], lanes: ["a", "b", "a"]) == .laneNamedTwice("a"))
  }

  @Test func aGridRoundsEachBeatByItself() throws {
    // 60 / 85 s = 705882.3529 us: three of them are 2117647.06, where three rounded ones would be 2117646.
    let map = try BeatMap.grid(bpm: 85, offset: 706_000, lanes: ["a", "b"], length: 3_000_000)
    #expect(map.beats.map(\.at) == [706_000, 1_411_882, 2_117_765, 2_823_647])
    #expect(map.beats.map(\.lane) == [0, 1, 0, 1])
    // An hour at 85 BPM ends with beat 5100, at 3600 s exactly.
    let hour = try BeatMap.grid(bpm: 85, offset: 0, length: 3_600_000_000)
    #expect(hour.beats.count == 5_101)
    #expect(hour.beats.last?.at == 3_600_000_000)
  }

  @Test func aGridTakesEverySecondBeatAndStopsAtItsCount() throws {
    let map = try BeatMap.grid(bpm: 120.5, offset: 0, every: 2, count: 3, length: 60_000_000)
    // 120 / 120.5 s = 995850.6224 us.
    #expect(map.beats.map(\.at) == [0, 995_851, 1_991_701])
  }

  @Test(arguments: [0, -1, 0.5, 1000.1, Double.nan, .infinity])
  func aTempoNobodyPlaysIsRefused(bpm: Double) {
    #expect(throws: BeatMapError.self) { try BeatMap.grid(bpm: bpm, offset: 0, length: 1_000_000) }
  }

  @Test func aMapHas64LanesAtMost() {
    let lanes = (0..<65).map { "l\($0)" }
    #expect(refusal([Beat(at: 0, lane: 63)], lanes: Array(lanes.prefix(64))) == nil)
    #expect(refusal([Beat(at: 0, lane: 64)], lanes: lanes) == .tooManyLanes(count: 65))
  }

  @Test func aMapHas16384BeatsAtMost() {
    let beats = (0...16_384).map { Beat(at: Int64($0) * 20_000) }
    #expect(refusal(Array(beats.dropLast()), length: 400_000_000) == nil)
    #expect(refusal(beats, length: 400_000_000) == .tooManyBeats(count: 16_385))
  }

  @Test func aGridOutsideItsChapterIsRefused() {
    #expect(throws: BeatMapError.gridOutOfRange) { try BeatMap.grid(bpm: 85, offset: 2, length: 1) }
    #expect(throws: BeatMapError.gridOutOfRange) { try BeatMap.grid(bpm: 85, offset: 0, every: 0, length: 1) }
    #expect(throws: BeatMapError.noBeats) { try BeatMap.grid(bpm: 85, offset: 0, count: 0, length: 1) }
    #expect(throws: BeatMapError.tooManyBeats(count: 16_385)) {
      try BeatMap.grid(bpm: 1000, offset: 0, length: BeatMap.maximumLength)
    }
  }
}
