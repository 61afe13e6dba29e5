// SPDX-License-Identifier: Apache-2.0

import ChapterOracle
import SeededNumbers
import Testing

@testable import Rhythm

/// Taps come by different ways with different delays: what a beat comes to must hang on the stamps alone.
@Suite struct DeliveryOrderTests {
  /// The first three are missed and bring help; the others are so close that their wide windows overlap.
  private static let beats: [Int64] = [
    1_000_000, 1_200_000, 1_400_000, 4_000_000, 4_200_000, 4_330_000, 4_500_000, 4_900_000,
  ]

  private func play(_ stamps: [Int64]) throws -> RhythmAndErrors {
    var session = try makeSession(Self.beats, assist: .init(misses: 3, window: 300_000), grace: 2_000_000)
    var errors: [Int: Int64] = [:]
    for stamp in stamps {
      if case .hit(let beat, let error) = try session.tap(at: stamp, lane: nil, now: 4_701_000).verdict {
        errors[beat] = error
      }
    }
    _ = session.advance(to: .max)
    return RhythmAndErrors(summary: session.summary, errors: errors)
  }

  @Test func whichBeatATapClaimsDoesNotHangOnTheOrderOfArrival() throws {
    // Each at an edge of a cell; the midpoints are 4.1, 4.265, 4.415 and 4.7.
    try forEachPermutation(of: [4_100_000, 4_265_000, 4_265_001, 4_700_000, 4_700_001]) { stamps in
      let played = try play(stamps)
      #expect(played.errors == [3: 100_000, 4: 65_000, 5: -64_999, 6: 200_000, 7: -199_999])
      #expect(played.summary.ghosts == 0)
    }
  }

  @Test func tooManyTapsHitTheSameBeatsInEveryOrder() throws {
    try forEachPermutation(of: [3_900_000, 4_100_000, 4_100_001, 4_416_000, 4_500_000, 4_700_000]) { stamps in
      let played = try play(stamps)
      #expect(Set(played.errors.keys) == [3, 4, 6])
      #expect(played.summary.hits == 3)
      #expect(played.summary.ghosts == 3)
      #expect(played.summary.misses == 5)
    }
  }

  @Test(arguments: 0..<300)
  func delaysWithinTheGraceChangeNothing(seed: Int) throws {
    var generator = SeededRandom(seed: UInt64(seed))
    let chapter = RandomChapter(using: &generator)
    var prompt: [Delivery] = []
    var stamp: Int64 = -30
    while stamp < chapter.length - 3 {
      stamp += .random(in: 0...25, using: &generator)
      let lane = chapter.isLaned ? Int.random(in: 0..<chapter.laneCount, using: &generator) : nil
      prompt.append(Delivery(stamp: stamp, lane: lane, now: stamp))
      if Int.random(in: 0...4, using: &generator) == 0 { stamp += 70 }
    }
    // From eight microseconds ahead of the stamp to the last before the miss, but within the chapter.
    let delayed = prompt.map { tap in
      let delay = Int64.random(in: -8..<chapter.grace, using: &generator)
      return Delivery(stamp: tap.stamp, lane: tap.lane, now: min(tap.stamp + delay, max(tap.stamp, chapter.length - 1)))
    }
    let summaries = try [prompt, delayed.sorted { $0.now < $1.now }].map { deliveries in
      var session = try makeSession(
        chapter.beats.map(\.at), lanes: chapter.isLaned ? chapter.beats.map { $0.lane ?? 0 } : nil,
        window: chapter.window, assist: .init(misses: chapter.misses, window: chapter.wide), grace: chapter.grace,
        length: chapter.length)
      for tap in deliveries where tap.stamp < chapter.length {
        _ = try session.tap(at: tap.stamp, lane: tap.lane, now: tap.now)
      }
      _ = session.advance(to: .max)
      return [
        Int64(session.summary.hits), Int64(session.summary.misses), Int64(session.summary.ghosts),
        session.assistedFrom ?? -1,
      ]
    }
    #expect(summaries[0] == summaries[1])
  }
}

private struct RhythmAndErrors {
  var summary: RhythmSummary
  var errors: [Int: Int64]
}

/// Heap's algorithm.
private func forEachPermutation(of values: [Int64], _ body: ([Int64]) throws -> Void) throws {
  var values = values
  func permute(_ count: Int) throws {
    if count <= 1 { return try body(values) }
    for index in 0..<count {
      try permute(count - 1)
      if index < count - 1 { values.swapAt(count.isMultiple(of: 2) ? index : 0, count - 1) }
    }
  }
  try permute(values.count)
}
