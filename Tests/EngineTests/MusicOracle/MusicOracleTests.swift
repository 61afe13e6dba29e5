// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Engine

/// The engine's music against a model that folds everything anew for each question.
@Suite struct MusicOracleTests {
  /// More of them with STARLIGHT_MUSIC_SEEDS.
  private static let seeds: ClosedRange<UInt64> =
    1...(getenv("STARLIGHT_MUSIC_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 12)

  @Test func everyVerbDoesAtItsInstantWhatTheModelSays() throws {
    var (uncertain, refused, mostFading) = (0, 0, 0)
    for seed in Self.seeds {
      var run = try MusicOracleRun(seed: seed)
      do {
        try run.run(verbs: 24)
      } catch {
        Issue.record("seed \(seed) failed: \(error)\n\(run.log.joined(separator: "\n"))")
        if getenv("STARLIGHT_MUSIC_ALL") == nil { return }
      }
      if run.isUncertain { uncertain += 1 }
      refused += run.refused
      mostFading = max(mostFading, run.mostFading)
    }
    #expect(uncertain * 10 <= Self.seeds.count)
    #expect(refused <= Self.seeds.count)
    // Every seventh seed is a crowd.
    #expect(mostFading >= 8 || Self.seeds.count < 7)
  }
}
