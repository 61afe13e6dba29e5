// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import LevelSearch
import RulesUnderTest
import SeededNumbers
import Testing

/// The forty levels that are kept: each can be finished within par, and nothing else finishes it.
@Suite struct FortyLevelTests {
  let rules = Rules.underTest.ball
  let limitUs: Int64 = 20_000_000
  static let names = (1...4).flatMap { world in (1...10).map { LevelName(world: world, number: $0) } }

  func load(_ name: LevelName) throws -> (level: Level, kept: KeptSolutions) {
    let file = try Forty.folder.file(name)
    return (try file.level(on: rules, file: name.text), try Forty.folder.solutions(name))
  }

  func finishes(_ level: Level, _ flipsUs: [Int64]) -> Bool {
    Flight(level, rules: rules, flipsUs: flipsUs, limitUs: limitUs).end == .reachedGoal
  }

  @Test(arguments: names) func theKeptSolutionFinishesWithinPar(_ name: LevelName) throws {
    let (level, kept) = try load(name)
    let flips = kept.solutions[0].flipsUs
    let flight = Flight(level, rules: rules, flipsUs: flips, limitUs: limitUs)
    #expect(flight.end == .reachedGoal)
    #expect(flight.flips <= level.parFlips)
    #expect(flight.lastedUs <= level.parTimeUs)
    // Par is no gift: a fifth more than the kept solution needs, to the next tenth of a second.
    #expect(level.parTimeUs <= flight.lastedUs * 12 / 10 + 100_000)
    #expect(level.parFlips == flips.count)
  }

  @Test(arguments: names) func eachCollectibleLiesOnASolutionThatFinishes(_ name: LevelName) throws {
    let (level, kept) = try load(name)
    #expect((3...5).contains(level.collectibles.count))
    var taken: Set<Int> = []
    for solution in kept.solutions {
      let flight = Flight(level, rules: rules, flipsUs: solution.flipsUs, limitUs: limitUs)
      #expect(flight.end == .reachedGoal)
      #expect(flight.flips <= level.parFlips)
      let collects = flight.isCollected.indices.filter { flight.isCollected[$0] }
      #expect(collects == solution.collects)
      taken.formUnion(collects)
    }
    #expect(taken == Set(level.collectibles.indices))
  }

  @Test(arguments: names) func doingNothingFinishesNothing(_ name: LevelName) throws {
    let (level, _) = try load(name)
    #expect(Flight(level, rules: rules, flipsUs: [], limitUs: limitUs).end == .died)
  }

  @Test(arguments: names) func noFlipOfTheKeptSolutionCanBeLeftOut(_ name: LevelName) throws {
    let (level, kept) = try load(name)
    let flips = kept.solutions[0].flipsUs
    for index in flips.indices {
      var fewer = flips
      fewer.remove(at: index)
      #expect(!finishes(level, fewer), "without flip \(index)")
    }
  }

  /// Of all ways that flip every 1/30 s or not; `freefall-levels check` goes through those of every 1/120 s.
  @Test(arguments: names) func noWayIsFoundWithFewerFlipsThanPar(_ name: LevelName) throws {
    let (level, kept) = try load(name)
    #expect(fewestFlips(level, rules: rules, atMost: level.parFlips - 1, every: 4) == nil)
    // And that it looks: with as many as par it finds one.
    if name.number == 1 { #expect(fewestFlips(level, rules: rules, atMost: level.parFlips, every: 4) != nil) }
    #expect(kept.solutions[0].flipsUs.count == level.parFlips)
  }

  @Test(arguments: names) func eachWorldHasItsLook(_ name: LevelName) throws {
    let (level, _) = try load(name)
    let style = [Obstacle.Style.neonOutline, .textured, .pulsing, .abstract][name.world - 1]
    #expect(level.obstacles.count >= 4)
    #expect(level.obstacles.allSatisfy { $0.style == style })
    let kinds = Set(try Forty.folder.file(name).obstacles.map(\.type))
    let expected: [Set<LevelFile.ObstacleFields.Kind>] = [[.rect, .line], [.circle, .line], [.polygon], [.rect]]
    #expect(kinds.isSubset(of: expected[name.world - 1]))
  }

  @Test(arguments: names.filter { $0.world > 2 }) func tappingAtRandomSeldomFinishes(_ name: LevelName) throws {
    let (level, _) = try load(name)
    var chance = Seeded(seed: UInt64(name.world * 1000 + name.number))
    var finished = 0
    let plays = 160
    for _ in 0..<plays {
      // Each play at a pace of its own: from four taps a second to one in two seconds, on the average.
      let paceUs = Int64.random(in: 250_000...2_000_000, using: &chance)
      var flips: [Int64] = []
      var us: Int64 = 0
      while us < 12_000_000 {
        us += Int64.random(in: 1...paceUs * 2, using: &chance)
        flips.append(us)
      }
      if Flight(level, rules: rules, flipsUs: flips, limitUs: 12_000_000).end == .reachedGoal { finished += 1 }
    }
    #expect(finished * 100 <= plays * 5, "\(finished) of \(plays)")
  }

  @Test func levelsDifferFromEachOther() throws {
    var launches: Set<String> = []
    for name in Self.names {
      let file = try Forty.folder.file(name)
      launches.insert("\(file.launchPosition) \(file.launchVelocity) \(file.goalPosition)")
    }
    #expect(launches.count == 40)
  }
}
