// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// Chapters through the socket, held against the oracle: from any place at any rate, through pauses of the chapter and of the
/// engine, restarts, a player who leaves within a lease and one who takes over.
@Suite struct ChapterOracleTests {
  /// More by hand, and in `make test-long`.
  private static let seeds = ProcessInfo.processInfo.environment["STARLIGHT_CHAPTERS"].flatMap(UInt64.init) ?? 16

  @Test func randomChaptersAreToldAndJudgedAsTheOracleSays() throws {
    var done: Set<String> = []
    for seed in 1...Self.seeds {
      do {
        var game = try ChapterGame(seed: seed)
        try game.play()
        try game.check()
        done.formUnion(game.done)
      } catch {
        Issue.record("seed \(seed) failed: \(error)")
      }
    }
    // What never happened is not shown.
    #expect(
      done == [
        "pause", "resume", "restart", "stop", "left", "taken over", "lease ended", "engine paused",
        "tap in a pause of the engine", "tap in a pause", "tap too late", "resume behind a pause of the engine",
        "map sent", "help seen",
      ])
  }
}
