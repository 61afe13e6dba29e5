// SPDX-License-Identifier: Apache-2.0

import Rhythm
import SeededNumbers
import Testing

@Suite struct ClickTimesTests {
  @Test func theGapsAreDrawnFromTheirRangeAndAlikeForOneSeed() {
    var numbers = SeededRandom(seed: 1)
    let clicks = ClickTimes(200, from: 2_000_000, using: &numbers).moments
    #expect(clicks.count == 200 && clicks.first == 2_000_000)
    let gaps = zip(clicks.dropFirst(), clicks).map { $0 - $1 }
    #expect(gaps.allSatisfy { (900_000...1_300_000).contains($0) })
    #expect(Set(gaps).count > 190)
    var again = SeededRandom(seed: 1)
    #expect(ClickTimes(200, from: 2_000_000, using: &again).moments == clicks)
    #expect(ClickTimes(0, from: 0, using: &again).moments == [])
  }

  /// A chapter judges the taps: whose delay is half of an even gap is told from one that is as early.
  @Test(arguments: [7_000, 83_000, 251_000, 449_999, -83_000] as [Int64])
  func aTapBelongsToItsClickWhateverItsDelay(_ delay: Int64) throws {
    var numbers = SeededRandom(seed: 2)
    let clicks = ClickTimes(40, from: 1_000_000, using: &numbers).moments
    let length = clicks[39] + 2_000_000
    let map = try BeatMap(beats: clicks.map { Beat(at: $0) }, length: length)
    let rules = try RhythmRules(window: ClickTimes.window, assist: nil, length: length)
    var run = RhythmRun(Course(map: map, rules: rules), start: 0)
    var samples: [SteadyOffset.Sample] = []
    for click in clicks {
      let outcome = try run.tap(at: click + delay, lane: nil, now: click + delay)
      guard case .hit(_, let error) = outcome.verdict else { continue }
      samples.append(SteadyOffset.Sample(at: click + delay, error: error))
    }
    let offset = try SteadyOffset(samples)
    #expect(offset.median == delay && offset.count == 36 && offset.standardError == 0 && offset.drift == 0)
  }
}
