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

  /// Typed as it was found once: a search whose order is by chance finds another on the next run.
  @Test func theSameWayIsFoundOnEveryRun() throws {
    let level = try #require(try Forty.folder.levels(.underTest)[LevelName(world: 2, number: 1)])
    let found = fewestFlips(level, rules: Rules.underTest.ball, atMost: level.parFlips, every: 4)
    #expect(found == [466_666, 766_666])
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

  /// Who plays a world sees no level twice: the kept ways of any two lie 72 points apart, on the average of where they are at
  /// the same part of each, or go the other way.
  @Test(arguments: 1...4) func noLevelOfAWorldLooksLikeAnother(_ world: Int) throws {
    let ways = try (1...10).map { number in
      let (level, kept) = try load(LevelName(world: world, number: number))
      return way(level, flipsUs: kept.solutions[0].flipsUs, rules: rules)
    }
    for (one, first) in ways.enumerated() {
      for (other, second) in ways.enumerated() where one < other {
        let points = pointsApart(first, second)
        #expect(points >= 72, "levels \(one + 1) and \(other + 1)")
      }
    }
  }

  @Test func twoWaysAreAsFarApartAsTheirPlaces() {
    let way = [Point(x: 0, y: 0), Point(x: 40, y: 10), Point(x: 80, y: 0)]
    #expect(pointsApart(way, way) == 0)
    #expect(pointsApart(way, way.map { Point(x: $0.x + 30, y: $0.y + 40) }) == 50)
    // The same line the other way is another level.
    #expect(pointsApart(way, way.reversed()) > 30)
    #expect(pointsApart(way, []) == .infinity)
  }

  /// Nothing stands in another thing's place, and what is round is seen whole. In the cave crystals grow out of their rock.
  @Test(arguments: names.filter { $0.world != 3 }) func nothingStandsInAnother(_ name: LevelName) throws {
    let (level, _) = try load(name)
    for (index, obstacle) in level.obstacles.enumerated() {
      // Rims touch: a pole ends, and a chain begins, at its lamp's, and a mast stands on its roof.
      var inside: [(Point, radius: Double)] = []
      switch obstacle.shape {
      case .circle(let centre, let radius):
        inside = [(centre, radius - 1)]
        #expect(centre.x >= radius && centre.x <= 390 - radius && centre.y <= 844 - radius, "obstacle \(index)")
      case .polygon(let corners):
        func between(_ one: Point, _ other: Point, _ part: Double) -> Point {
          Point(x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part)
        }
        let parts: [Double] = (0..<20).map { (Double($0) + 0.5) / 20 }
        for row in parts {
          let upper = between(corners[0], corners[1], row)
          let lower = between(corners[3], corners[2], row)
          for column in parts { inside.append((between(upper, lower, column), 0)) }
        }
      case .line: break
      }
      for (other, obstacle) in level.obstacles.enumerated() where other != index {
        let isTouched = inside.contains { obstacle.shape.touches(ball: $0.0, radius: $0.radius, lineReach: 0) }
        #expect(!isTouched, "obstacle \(index) in obstacle \(other)")
      }
    }
  }

  @Test(arguments: names.filter { $0.world == 3 }) func crystalsAreSeenWhole(_ name: LevelName) throws {
    let (level, _) = try load(name)
    for obstacle in level.obstacles {
      guard case .polygon(let corners) = obstacle.shape, corners.count == 4 else { continue }
      let (least, greatest) = obstacle.shape.box
      #expect(least.x >= 0 && greatest.x <= 390 && least.y >= 0 && greatest.y <= 844, "\(corners)")
    }
  }

  @Test(arguments: names) func launchGoalAndCollectiblesAreOnTheScreen(_ name: LevelName) throws {
    let (level, _) = try load(name)
    let whole = [(level.launchPosition, 10.0), (level.goalPosition, level.goalRadius)]
    for (place, radius) in whole + level.collectibles.map({ ($0, 10) }) {
      #expect(place.x >= radius && place.x <= 390 - radius && place.y >= radius && place.y <= 844 - radius)
    }
  }
}
