// SPDX-License-Identifier: Apache-2.0

import Haptics
import SeededNumbers
import Testing
import Timing

@testable import HapticOutput

/// Where the engine goes on behind a pause, what is felt there counts and not what was told last.
@Suite struct GoingOnTests {
  private static let zero = Instant(microseconds: 1_000_000)

  /// More than 1,000 changes come in a second: one a millisecond is told, and what follows soon is left to the next.
  @Test func whatIsFeltWhereTheEngineGoesOnIsTold() throws {
    var leftToTheNext = 0
    try search(upTo: 8) { random in
      var (stepper, mixer) = (HapticStepper(), HapticMixer())
      let start = HapticCommand.start(
        HapticPlayerID(rawValue: 1), steps(1_000, every: random.integer(250...900), &random), source: "p",
        at: Self.zero,
        options: HapticPlayOptions(loops: true))
      stepper.apply([start], at: Self.zero - .milliseconds(1)) { _ in }
      mixer.apply(start)
      var now = Self.zero
      for _ in 0..<200 {
        now = now + .microseconds(random.integer(1...9_000))
        stepper.advance(to: now) { _ in }
        _ = mixer.advance(to: now)
        if random.oneIn(2) || stepper.gathering != nil { continue }
        let told = stepper.level
        let felt = stepper.goOn(at: now).level
        try #require(felt == mixer.level(at: now), "\(now)")
        if told != felt { leftToTheNext += 1 }
      }
    }
    #expect(leftToTheNext > 20)
  }

  /// Rumbles of random strength that follow each other, so many microseconds each.
  private func steps(_ count: Int, every spacing: Int64, _ random: inout SeededRandom) -> HapticPattern {
    HapticPattern(
      AHAPDocument(
        events: (0..<count).map { index in
          AHAPEvent(
            .continuous, time: Double(Int64(index) * spacing) / 1e6, duration: Double(spacing) / 1e6,
            parameters: [.intensity: Double(random.integer(1...1_000)) / 1_000, .sharpness: 0.5])
        }))
  }
}
