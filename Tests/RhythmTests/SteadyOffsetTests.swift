// SPDX-License-Identifier: Apache-2.0

import Foundation
import Rhythm
import SeededNumbers
import Testing

@Suite struct SteadyOffsetTests {
  /// One measurement a second.
  private func run(_ errors: [Int64]) -> [SteadyOffset.Sample] {
    errors.enumerated().map { SteadyOffset.Sample(at: Int64($0.offset) * 1_000_000, error: $0.element) }
  }

  private func refusal(_ errors: [Int64]) -> OffsetRefusal? {
    do throws(OffsetRefusal) {
      _ = try SteadyOffset(run(errors))
      return nil
    } catch {
      return error
    }
  }

  // MARK: - Figures by hand

  @Test func theMiddleTheSpreadAndTheStandardErrorAreThoseOfWhatIsKept() throws {
    // Four to warm up, then 0, 1, -1, 2, -2 and on to -16 ms.
    let ordered: [Int64] = [0] + (1...16).flatMap { (step: Int64) -> [Int64] in [step * 1_000, -step * 1_000] }
    let limits = SteadyOffset.Limits(warmUp: 4, least: 30, spread: 40_000, standardError: 5_000, drift: 20_000)
    let offset = try SteadyOffset(run([900_000, -900_000, 0, 0] + ordered), limits: limits)
    #expect(offset.median == 0)
    // The 33 absolute deviations are 0 and twice each of 1 to 16 ms: the 17th is 8 ms.
    #expect(offset.spread == 11_861)
    // The root of 33 is 5.7446: half of it on either side of place 16, a millisecond a place.
    #expect(offset.standardError == 2_872)
    #expect(offset.count == 33 && offset.leftOut == 0)
  }

  @Test func theFirstFourDoNotCount() throws {
    let wild = [Int64](repeating: 5_000_000, count: 4)
    let offset = try SteadyOffset(run(wild + [Int64](repeating: 7_000, count: 30)))
    #expect(offset.median == 7_000)
    #expect(refusal([Int64](repeating: 7_000, count: 33)) == .tooFew(left: 29, needed: 30))
  }

  @Test func whatLiesThreeSpreadsOutIsWild() throws {
    // 40 of +-10 ms: the median deviation is 10 ms, and so the reach 44.478 ms.
    let steady = (0..<40).map { Int64($0 % 2 == 0 ? 10_000 : -10_000) }
    let limits = SteadyOffset.Limits(warmUp: 4, least: 30, spread: 40_000, standardError: 20_000, drift: 10_000)
    let kept = try SteadyOffset(run([0, 0, 0, 0] + steady + [44_478]), limits: limits)
    #expect(kept.count == 41 && kept.leftOut == 0)
    let left = try SteadyOffset(run([0, 0, 0, 0] + steady + [44_479, -300_000]), limits: limits)
    #expect(left.count == 40 && left.leftOut == 2)
  }

  @Test func aPlayerWithoutAnyScatterHasNothingWildWithinAMillisecond() throws {
    var errors = [Int64](repeating: 83_000, count: 40)
    errors[20] = 84_000
    errors[21] = 84_001
    let offset = try SteadyOffset(run(errors))
    #expect(offset.median == 83_000 && offset.spread == 0 && offset.standardError == 0)
    #expect(offset.count == 35 && offset.leftOut == 1)
  }

  @Test func nothingIsToldOfNothing() {
    #expect(refusal([]) == .tooFew(left: 0, needed: 30))
    #expect(refusal([.max, .min, .max, .min, .max]) == .tooFew(left: 1, needed: 30))
  }

  // MARK: - What is refused

  @Test func aDriftIsRefusedAsOne() throws {
    // 10 ms in 39 s is allowed, 11 ms is not.
    func sloped(_ total: Int64) -> [Int64] { [0, 0, 0, 0] + (0..<40).map { Int64($0) * total / 39 } }
    #expect(try SteadyOffset(run(sloped(9_984))).drift == 9_984)
    #expect(refusal(sloped(11_700)) == .drifting(by: 11_700, most: 10_000))
    #expect(refusal(sloped(-11_700)) == .drifting(by: -11_700, most: 10_000))
    // What would be too wide for a spread, but for the drift, is told as a drift too.
    #expect(refusal(sloped(390_000)) == .drifting(by: 390_000, most: 10_000))
  }

  @Test func twoHeapsAreRefusedThoughEachIsNarrow() {
    // Now with the click, now 50 ms late: the median deviation is 25 ms, and the middle lies where nobody tapped.
    let heaps = (0..<60).map { Int64($0 % 2 == 0 ? 0 : 50_000) }
    #expect(refusal([0, 0, 0, 0] + heaps) == .uncertain(by: 25_000, most: 5_000))
  }

  @Test func aRefusalSaysWhyAndWhatToDo() {
    #expect(
      OffsetRefusal.drifting(by: -11_750, most: 10_000).reason(of: "taps")
        == "the taps came 11.8 ms earlier over the run, and 10.0 ms is the most")
    #expect(
      OffsetRefusal.tooFew(left: 12, needed: 30).reason(of: "chirps")
        == "12 chirps are left without the first and wild ones, and it takes 30")
    for refusal in [OffsetRefusal.tooFew(left: 0, needed: 30), .scattered(by: 1, most: 0), .uncertain(by: 1, most: 0)] {
      #expect(!refusal.remedyForTaps.isEmpty)
    }
  }

  // MARK: - Players

  /// Taps `delay` late, less what a person anticipates, spread normally by `spread`; one in fifty slips by 200 ms.
  private func player(
    delay: Int64, spread: Double, driftsBy drift: Int64 = 0, taps: Int = 64, seed: UInt64
  ) -> [SteadyOffset.Sample] {
    var numbers = SeededRandom(seed: seed)
    let clicks = ClickTimes(taps, from: 1_000_000, using: &numbers).moments
    return clicks.enumerated().map { index, click in
      let (a, b) = (Double.random(in: 1e-12..<1, using: &numbers), Double.random(in: 0..<1, using: &numbers))
      let normal = (-2 * log(a)).squareRoot() * cos(2 * Double.pi * b)
      let slip: Int64 = index % 50 == 49 ? 200_000 : 0
      let error = delay + drift * Int64(index) / Int64(taps) + Int64((normal * spread).rounded()) + slip
      return SteadyOffset.Sample(at: click + error, error: error)
    }
  }

  @Test(arguments: [7_000, 83_000, 251_000] as [Int64])
  func aSteadyPlayersDelayIsFound(_ delay: Int64) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let offset = try SteadyOffset(player(delay: delay, spread: 4_000, seed: seed))
      // 4 ms spread over 60 taps: a standard error of 0.65 ms.
      #expect(abs(offset.median - delay) < 2_500, "seed \(seed)")
      #expect(offset.leftOut >= 1)
    }
  }

  @Test func aPersonOfTwentyMillisecondsIsMostlyBelieved() throws {
    var believed = 0
    for seed in 1...50 as ClosedRange<UInt64> {
      guard let offset = try? SteadyOffset(player(delay: 83_000, spread: 20_000, seed: seed)) else { continue }
      believed += 1
      #expect(abs(offset.median - 83_000) < 12_500, "seed \(seed)")
    }
    #expect(believed > 25)
  }

  @Test func noiseIsRefused() {
    for seed in 1...50 as ClosedRange<UInt64> {
      var numbers = SeededRandom(seed: seed)
      let noise = (0..<64).map { _ in numbers.integer(-450_000...450_000) }
      #expect(refusal(noise) != nil, "seed \(seed)")
    }
  }

  @Test func aPlayerWhoRunsAheadOfTheClicksIsRefused() {
    for seed in 1...20 as ClosedRange<UInt64> {
      let taps = player(delay: 0, spread: 4_000, driftsBy: -40_000, seed: seed)
      #expect(throws: OffsetRefusal.self) { try SteadyOffset(taps) }
    }
  }
}
