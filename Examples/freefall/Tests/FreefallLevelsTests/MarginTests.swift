// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import LevelSearch
import RulesUnderTest
import SeededNumbers
import Testing

/// What difficulty is: by how much the flips of a kept solution may err. Each for itself, as taps do: in time, early or late
/// in all combinations, the worst of which are flips that err by turns.
@Suite struct MarginTests {
  let rules = Rules.underTest.ball
  static let names = FortyLevelTests.names
  /// What each world promises to forgive, and what it may not: as much as the world before it, or a fifth more than the first.
  static let marginsUs: [Int64] = [60_000, 48_000, 36_000, 25_000]
  static let tooMuchUs: [Int64] = [72_000, 60_000, 48_000, 36_000]

  func load(_ name: LevelName) throws -> (level: Level, kept: KeptSolutions) {
    (try Forty.folder.file(name).level(on: rules, file: name.text), try Forty.folder.solutions(name))
  }

  func finishes(_ level: Level, _ flipsUs: [Int64]) -> Bool {
    Flight(level, rules: rules, flipsUs: flipsUs.sorted(), limitUs: 20_000_000).end == .reachedGoal
  }

  /// The largest error, in whole milliseconds, up to which every combination finishes, of each level: some millions of
  /// flights, that two tests ask about.
  static let forgivenMs = Result {
    try Dictionary(uniqueKeysWithValues: names.map { ($0, try MarginTests().measuredMs($0)) })
  }

  func forgivenMs(_ name: LevelName) throws -> Int64 { try #require(try Self.forgivenMs.get()[name]) }

  private func measuredMs(_ name: LevelName) throws -> Int64 {
    let (level, kept) = try load(name)
    let flips = kept.solutions[0].flipsUs
    let first = (1...200 as ClosedRange<Int64>).first { ms in
      !flips.erring(byUs: ms * 1000).allSatisfy { finishes(level, $0) }
    }
    return (first ?? 201) - 1
  }

  @Test func combinationsAreAllThereAre() {
    let two: [Int64] = [100, 200]
    #expect(two.erring(byUs: 5).first == [100, 200])
    #expect(
      Set(two.erring(byUs: 5)) == [
        [100, 200], [105, 200], [95, 200], [100, 205], [100, 195], [105, 205], [105, 195], [95, 205], [95, 195],
      ])
    #expect(two.erring(byUs: 5).count == 9)
    #expect(([1, 2, 3, 4] as [Int64]).erring(byUs: 1).count == 81)
  }

  @Test(arguments: names) func everyFlipMayErrAloneAndWithOthersAllOneWayOrByTurns(_ name: LevelName) throws {
    let (level, kept) = try load(name)
    let flips = kept.solutions[0].flipsUs
    let marginUs = Self.marginsUs[name.world - 1]
    #expect(kept.marginUs == marginUs)
    for errorUs in [marginUs, marginUs / 2] {
      for erring in flips.erring(byUs: errorUs) { #expect(finishes(level, erring), "\(erring) for \(flips)") }
    }
    for sign in [1, -1] as [Int64] {
      let byTurns = flips.enumerated().map { $1 + ($0.isMultiple(of: 2) ? sign : -sign) * marginUs }
      #expect(finishes(level, byTurns), "by turns")
    }
  }

  @Test(arguments: names) func everyFlipMayErrForItself(_ name: LevelName) throws {
    let (level, kept) = try load(name)
    let marginUs = Self.marginsUs[name.world - 1]
    var chance = Seeded(seed: UInt64(name.world * 100 + name.number))
    for _ in 0..<400 {
      let erring = kept.solutions[0].flipsUs.map { $0 + Int64.random(in: -marginUs...marginUs, using: &chance) }
      #expect(finishes(level, erring), "\(erring)")
    }
  }

  @Test(arguments: names) func aLevelForgivesWhatItsWorldPromisesAndNotMuchMore(_ name: LevelName) throws {
    let forgivenMs = try forgivenMs(name)
    #expect(forgivenMs * 1000 >= Self.marginsUs[name.world - 1])
    #expect(forgivenMs * 1000 < Self.tooMuchUs[name.world - 1])
  }

  /// By what was measured, whatever the files say: the worlds' means, and every level of a world beside all of the next.
  @Test func whatIsForgivenFallsFromWorldToWorld() throws {
    let worlds = try (1...4).map { world in try (1...10).map { try forgivenMs(LevelName(world: world, number: $0)) } }
    for (before, after) in zip(worlds, worlds.dropFirst()) {
      #expect(try #require(before.min()) > #require(after.max()), "ms by world: \(worlds)")
      #expect(before.reduce(0, +) > after.reduce(0, +), "ms by world: \(worlds)")
    }
  }
}
