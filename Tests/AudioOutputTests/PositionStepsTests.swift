// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import AudioOutput

/// At 48 kHz, where 128 frames take 2 667 µs, of a device that is kept 192 frames ahead.
@Suite struct PositionStepsTests {
  private let start = Instant(microseconds: 1_000_000)

  private func started(queued: Int64 = 192) -> PositionSteps {
    var steps = PositionSteps()
    steps.start(queued: queued, at: start)
    return steps
  }

  /// Reads `steps` at instants in microseconds since the start; each answer takes 10 µs.
  private func read(_ steps: inout PositionSteps, _ readings: [(us: Int64, played: Int64)], answered: Int64 = 10) {
    for (us, played) in readings {
      let asked = start + .microseconds(us)
      steps.read(
        played: played, queued: 192, asked: asked, answered: asked + .microseconds(answered), rate: 48_000)
    }
  }

  @Test func aPositionThatMovesFinelyIsBelieved() {
    var steps = started()
    read(&steps, (1...1_000).map { (us: $0 * 1_333, played: $0 * 64) })
    #expect(steps.findings == 0 && !steps.isCertain)
  }

  @Test func oneThatStandsStillTwiceIsNot() {
    var steps = started()
    read(&steps, [(4_000, 192), (8_000, 384), (9_000, 384), (10_600, 384)])
    #expect(steps.findings == 0, "not for long enough")
    read(&steps, [(10_677, 384), (11_900, 384)])
    #expect(steps.findings == 1 && !steps.isCertain, "a stand counts once")
    read(&steps, [(12_000, 576), (14_680, 576)])
    #expect(steps.findings == 2 && steps.isCertain)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7] as [Int64]) func stepsOfATickAreSeen(_ phase: Int64) {
    var steps = started()
    read(&steps, (1...120).map { (us: $0 * 333, played: ($0 * 333 + phase * 500) / 4_000 * 192) })
    #expect(steps.isCertain)
  }

  @Test func aSlowStartAndALeapAtItCountForNothing() {
    var steps = started()
    for _ in 0..<5 {
      steps.start(queued: 192, at: start)
      read(&steps, [(1_000, 0), (10_000, 0), (10_100, 128), (20_000, 128)])
      read(&steps, (1...50).map { (us: 20_000 + $0 * 1_333, played: 128 + $0 * 64) })
    }
    #expect(steps.findings == 0)
  }

  @Test func whoReadsLateFindsNothing() {
    var steps = started()
    read(&steps, [(1_333, 64), (2_667, 128)])
    // Held up between the question and its answer, and for long before the next.
    read(&steps, [(4_000, 192)], answered: 30_000)
    read(&steps, [(34_020, 192)])
    #expect(steps.findings == 0)
    read(&steps, [(90_000, 256)])
    steps.ranDry(by: start + .microseconds(130_000), rate: 48_000)
    #expect(steps.findings == 0)
  }

  @Test func oneThatIsDrySoonerThanItCanBeIsNotBelieved() {
    // 192 frames take 4 ms; a third of them may have been fetched before.
    var steps = started()
    steps.ranDry(by: start + .microseconds(2_667), rate: 48_000)
    #expect(steps.findings == 0)
    steps.ranDry(by: start + .microseconds(2_600), rate: 48_000)
    #expect(steps.findings == 1)
    steps.start(queued: 128, at: start + .milliseconds(20))
    steps.ranDry(by: start + .microseconds(21_400), rate: 48_000)
    #expect(steps.findings == 1)
    steps.ranDry(by: start + .microseconds(21_300), rate: 48_000)
    #expect(steps.isCertain)
  }

  @Test func oneThatIsDryWhenItHadNothingLeftIs() {
    var steps = started(queued: 0)
    steps.ranDry(by: start, rate: 48_000)
    #expect(steps.findings == 0)
  }
}
