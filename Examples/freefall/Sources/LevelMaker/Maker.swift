// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import LevelSearch
import SeededNumbers

/// A level with what is kept beside it.
struct Made {
  var file: LevelFile
  var solutions: KeptSolutions
}

/// Makes one level: courses by chance, the most interesting first, until one has obstacles around it that nobody passes
/// with fewer flips, or by tapping at random.
struct Maker {
  let rules: BallRules
  var ask: Ask
  var random: Seeded

  init(rules: BallRules, name: LevelName, seed: UInt64) {
    self.rules = rules
    ask = Ask(name)
    random = Seeded(seed: seed &+ UInt64(name.world * 100 + name.number))
  }

  /// A level whose way lies apart from those of its world that are there already.
  mutating func make(besides ways: [[Point]]) -> Made? {
    for round in 0..<400 {
      // Where all that is to be seen on its way is there already it goes the other way.
      if round == 100 { ask.goesRight.toggle() }
      var courses: [(interest: Double, course: Course)] = []
      for _ in 0..<400_000 where courses.count < 30 {
        guard let course = Course(ask, rules: rules, random: &random) else { continue }
        courses.append((course.interest(rules), course))
      }
      courses.sort { $0.interest > $1.interest }
      let others = courses.filter { course in
        ways.allSatisfy { pointsApart($0, course.course.paths[0]) >= ask.pointsApart }
      }
      for (_, course) in others.prefix(10) {
        if let made = build(course, besides: ways) { return made }
      }
    }
    return nil
  }

  /// The course with obstacles, collectibles and par; nil where it is too easy, or a flip would do less.
  private mutating func build(_ course: Course, besides ways: [[Point]]) -> Made? {
    let ground = Ground(course, rules: rules, clearance: [6, 5, 4, 3.5][ask.name.world - 1])
    let raise = [block, yard, underground, noise][ask.name.world - 1]
    var file = course.file
    file.obstacles = raise(ground, ask, &random).filter { ground.clear($0) != nil }
    guard file.obstacles.count >= 2, file.obstacles.count <= 64 else { return nil }
    file.collectibles = collectibles(course, ground)
    guard file.collectibles.count == ask.collectibles, var level = try? file.level(on: rules, file: "") else {
      return nil
    }
    let kept = Flight(level, rules: rules, flipsUs: course.flipsUs, limitUs: limitUs)
    guard kept.end == .reachedGoal else { return nil }
    // What may err may err by less, and each flip for itself; by too much it must not.
    guard forgives(ask.marginUs / 2, course, level), forgives(ask.marginUs, course, level),
      !forgives(ask.tooMuchUs, course, level)
    else { return nil }
    let share = erringShare(
      level, flipsUs: course.flipsUs, marginUs: ask.marginUs, rules: rules, plays: 500, random: &random)
    guard share == 1 else { return nil }
    // Coarsely first, which finds most of them, then finely.
    for steps in [2, 1] where fewestFlips(level, rules: rules, atMost: ask.flips - 1, every: steps) != nil {
      return nil
    }
    guard randomShare(level, rules: rules, plays: 600, random: &random) <= ask.randomShare else { return nil }
    file.parTime = (Double(kept.lastedUs) / 1_000_000 * 1.2 * 10).rounded(.up) / 10
    level = (try? file.level(on: rules, file: "")) ?? level
    guard let solutions = solutions(course, level) else { return nil }
    // A course ends a little short of where the ball, as it is played, is at the goal: what is played must lie apart.
    let played = way(level, flipsUs: course.flipsUs, rules: rules)
    guard ways.allSatisfy({ pointsApart($0, played) >= ask.pointsApart }) else { return nil }
    return Made(file: file, solutions: solutions)
  }

  /// Whether the level is finished whichever flips come so much early or late.
  private func forgives(_ errorUs: Int64, _ course: Course, _ level: Level) -> Bool {
    course.flipsUs.erring(byUs: errorUs).allSatisfy { finishes(level, $0, rules: rules) }
  }

  /// Some on the kept way, some beside it, where only another way takes them.
  private mutating func collectibles(_ course: Course, _ ground: Ground) -> [LevelFile.Place] {
    let way = course.paths[0]
    let beside = ask.name.number.isMultiple(of: 2) ? 1 : 0
    var places: [LevelFile.Place] = []
    var taken: [Point] = []
    let on = ask.collectibles - beside
    for index in 0..<on {
      let part = (Double(index) + 1) / (Double(on) + 0.7)
      let point = way[Int(Double(way.count - 1) * part)]
      taken.append(point)
      places.append(ground.place(point.x, (point.y + Double(random.whole(-4...4)))))
    }
    var best: (reach: Double, point: Point)?
    for path in course.paths.dropFirst() where beside > 0 {
      for point in path.dropLast(12) {
        let reach = way.map { distance($0, point) }.min() ?? 0
        let alone = (taken.map { distance($0, point) }.min() ?? 99) > 40
        if alone, reach > 24, reach > best?.reach ?? 0 { best = (reach, point) }
      }
    }
    if let best {
      places.append(ground.place(best.point.x, best.point.y))
    } else if beside > 0 {
      places.append(ground.place(way[way.count / 12].x, way[way.count / 12].y))
    }
    return places
  }

  /// The kept solution, and for what it passes by one of its variations; nil where a collectible lies on none.
  private func solutions(_ course: Course, _ level: Level) -> KeptSolutions? {
    var kept: [KeptSolutions.Solution] = []
    var missing = Set(level.collectibles.indices)
    for variation in ask.variations(course.flipsUs) {
      let flight = Flight(level, rules: rules, flipsUs: variation, limitUs: limitUs)
      let collects = flight.isCollected.indices.filter { flight.isCollected[$0] }
      guard flight.end == .reachedGoal, kept.isEmpty || !missing.isDisjoint(with: collects) else { continue }
      kept.append(.init(flipsUs: variation, collects: collects))
      missing.subtract(collects)
    }
    return missing.isEmpty ? KeptSolutions(marginUs: ask.marginUs, solutions: kept) : nil
  }
}
