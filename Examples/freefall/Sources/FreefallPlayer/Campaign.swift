// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import SeededNumbers

/// From the menu to the end: every level until it is done, every intermission, and what a person does besides.
struct Campaign {
  private var player: Player
  private let folder: LevelFolder
  private var options: Options
  private let rules: Rules
  private var random: Seeded

  /// Goes on behind what was played `before`: who was killed once is not killed again.
  init(_ player: Player, rules: Rules, folder: LevelFolder, options: Options, before: [PlayLog.Line]) {
    self.player = player
    self.rules = rules
    self.folder = folder
    self.options = options
    if before.contains(where: { $0.what == "killed" }) { self.options.kill = nil }
    if before.contains(where: { $0.what == "daemon lost" }) { self.options.daemonLoss = nil }
    random = Seeded(seed: options.seed)
  }

  /// Plays to the end, or throws why it cannot.
  mutating func play() async throws {
    // A switch that was off when the player was killed is seen to be off.
    for name in Switches.Name.allCases where !player.sight.switches[name] { try await player.press(.toggle(name)) }
    for name in options.restless?.atFirst ?? [] { try await player.press(.toggle(name)) }
    // The menu is a moment of its own where it is come back to.
    if options.restless != nil {
      for button in [Button.play, .back] { try await player.press(button, after: 200_000) }
    }
    while let level = nextLevel {
      if player.sight.level?.name != level { try await go(to: level) }
      try await finish(level)
    }
    try await player.wait(until: player.nowUs + 3_000_000)
    try player.finish()
  }

  /// The first that its card does not show as done.
  private var nextLevel: LevelName? {
    rules.worlds.levels.first { $0 <= options.last && !player.frontEnd.game.progress.completed.contains($0) }
  }

  private func index(_ level: LevelName) -> Int { rules.worlds.levels.firstIndex(of: level) ?? 0 }

  /// A breath between two things that are pressed.
  private mutating func pause(_ range: ClosedRange<Int64> = 150_000...400_000) async throws {
    try await player.wait(until: player.nowUs + Int64.random(in: range, using: &random))
  }

  // MARK: - Screens

  /// Finds the way to a level, and taps locked cards on it.
  private mutating func go(to level: LevelName) async throws {
    var steps = 0
    while player.sight.level?.name != level {
      steps += 1
      guard steps <= 12 else { throw PlayProblem("\(level.text) is not found from \(player.sight.screen)") }
      try await pause()
      switch player.sight.screen {
      case .menu: try await player.press(.play)
      case .worlds(let open):
        if open < rules.worlds.count { try await player.press(.world(open + 1)) }
        try await pause()
        try await player.press(.world(level.world))
      case .levels(let world) where world == level.world:
        let progress = player.frontEnd.game.progress
        if let locked = rules.worlds.levels.first(where: {
          $0.world == world && !progress.isOpen($0, rules: rules.worlds)
        }) {
          try await player.press(.level(locked.number))
          try await pause()
        }
        try await player.press(.level(level.number))
      case .levels, .level(_, .ready), .level(_, .paused): try await player.press(.back)
      default: throw PlayProblem("no way from \(player.sight.screen) to \(level.text)")
      }
    }
  }

  // MARK: - A level

  /// Plays a level until it is done, and goes on behind it.
  private mutating func finish(_ level: LevelName) async throws {
    meetMoments(of: level)
    let index = index(level)
    if options.isClumsy, index % 8 == 3 { try await visitAnotherWorld(than: level) }
    try await pause()
    // One who is called away cannot turn switches meanwhile.
    var isCalledAway = options.isClumsy && (index % 10 == 6 || options.restless != nil && level.number == 1)
    if options.isClumsy, !isCalledAway { planSwitch(index) }
    let kept = try folder.solutions(level)
    var attempts = 0
    while player.sight.level?.stage == .ready {
      attempts += 1
      guard attempts <= 30 else { throw PlayProblem("\(level.text) is not done after 30 attempts") }
      // Now and then badly on purpose: by doing nothing, or by tapping about.
      let isBad = options.isClumsy && attempts == 1 && index % 3 == 0
      try await fly(
        isBad ? badFlips(index) : erring(kept), pausing: options.isClumsy && attempts < 3 && index % 4 == 1,
        away: isCalledAway && !isBad)
      if !isBad { isCalledAway = false }
      guard try await player.wait(forUs: 20_000_000, until: { $0.level?.stage != .playing }) else {
        throw PlayProblem("\(level.text) does not end")
      }
      if player.sight.level?.stage == .dead {
        _ = try await player.wait(forUs: 1_000_000) { $0.level?.stage == .ready }
      }
    }
    guard try await player.wait(forUs: 2_000_000, until: { if case .word? = $0.level?.stage { true } else { false } })
    else { throw PlayProblem("no word appears in \(level.text)") }
    try await pause(200_000...900_000)
    // Behind the last that is asked for only an intermission is gone into.
    guard level != options.last || rules.worlds.intermissionAfter.contains(level.number) else { return }
    try await player.press(.next)
    if case .intermission = player.sight.screen { try await fall(after: level) }
  }

  /// The kept flips, as somebody taps them who knows the level: a little early or late, all of them or one.
  private mutating func erring(_ kept: KeptSolutions) -> [Int64] {
    let marginUs = kept.marginUs * 9 / 10
    var flips = kept.solutions[0].flipsUs
    let errorUs = Int64.random(in: -marginUs...marginUs, using: &random)
    if Bool.random(using: &random) {
      flips = flips.map { $0 + errorUs }
    } else if let one = flips.indices.randomElement(using: &random) {
      flips[one] += errorUs
    }
    return flips
  }

  private mutating func badFlips(_ index: Int) -> [Int64] {
    if index % 2 == 0 { return [] }
    var (flips, us): ([Int64], Int64) = ([], 0)
    for _ in 0..<8 {
      us += Int64.random(in: 60_000...300_000, using: &random)
      flips.append(us)
    }
    return flips
  }

  /// Launches and flips at these instants after it; perhaps with the flight paused in its middle, or the player called away.
  private mutating func fly(_ flipsUs: [Int64], pausing: Bool, away: Bool) async throws {
    try player.tap()
    var launchedUs = player.nowUs
    // Before a flip, so that it falls into the flight.
    let paused = pausing || away ? flipsUs.indices.randomElement(using: &random) : nil
    for (index, flipUs) in flipsUs.enumerated() {
      if index == paused {
        let before = index > 0 ? flipsUs[index - 1] : 0
        try await player.wait(until: launchedUs + (before + flipUs) / 2)
        guard player.sight.level?.stage == .playing else { return }
        launchedUs += try await away ? standAway() : standStill()
      }
      try await player.wait(until: launchedUs + flipUs)
      guard player.sight.level?.stage == .playing else { return }
      try player.tap()
    }
  }

  /// Pauses for a while; how long. A tap on what stands still does nothing.
  private mutating func standStill() async throws -> Int64 {
    let beganUs = player.nowUs
    try await player.press(.pause)
    try await pause()
    try player.tap()
    try await pause(300_000...1_200_000)
    try await player.press(.resume)
    return player.nowUs - beganUs
  }

  /// Is called away; by how much that moved what is to come.
  private mutating func standAway() async throws -> Int64 {
    let behindUs = player.nowUs - player.gameUs
    try await player.beCalledAway(forUs: Int64.random(in: 400_000...900_000, using: &random))
    return player.nowUs - player.gameUs - behindUs
  }

  /// To a level of another world that is done, and back: its music, and the way there, are heard.
  private mutating func visitAnotherWorld(than level: LevelName) async throws {
    let done = player.frontEnd.game.progress.completed.filter { $0.world != level.world || $0.number <= 5 }
    guard let visited = done.sorted().randomElement(using: &random) else { return }
    // Each cross-fade to its end.
    for name in [visited, level] {
      try await player.wait(until: player.nowUs + 2_500_000)
      try await go(to: name)
    }
    try await player.wait(until: player.nowUs + 2_500_000)
  }

  // MARK: - An intermission

  /// Falls for some seconds, dodging, then lets it happen.
  private mutating func fall(after level: LevelName) async throws {
    let seconds: [Int64] = [4, 6, 9, 16, 5, 7, 12, 31]
    let number = (level.world - 1) * 2 + (level.number > 5 ? 1 : 0)
    let untilUs = player.nowUs + 1_300_000 + seconds[number % seconds.count] * 1_000_000
    // What cannot be done there: pausing, leaving.
    try await player.press(.pause)
    try await player.press(.back)
    if options.isClumsy { planSwitch(number, inIntermission: true) }
    var dodging = Dodging()
    while case .intermission(let intermission) = player.frontEnd.game.screen {
      if player.nowUs < untilUs, intermission.death == nil,
        let x = dodging.tap(intermission, atUs: player.gameUs)
      {
        try player.tap(x: x)
      }
      try await player.wait(until: player.nowUs + 1_000_000 / 60)
    }
  }

  // MARK: - Besides

  /// One of the three switches goes off at some moment of what comes, and on again later.
  private mutating func planSwitch(_ number: Int, inIntermission: Bool = false) {
    guard options.restless == nil else { return }
    let name = Switches.Name.allCases[number % 3]
    // Behind the voice, before it, in it, in play, after death.
    let offUs =
      inIntermission
      ? [100_000, 700_000, 900_000, 1_290_000, 2_500_000, 500_000, 1_310_000, 4_000_000][number % 8]
      : Int64.random(in: 0...2_500_000, using: &random)
    let lengthUs = Int64.random(in: 120_000...1_600_000, using: &random)
    player.plan(.press(.toggle(name)), atUs: player.nowUs + offUs)
    player.plan(.press(.toggle(name)), atUs: player.nowUs + offUs + lengthUs)
  }

  private mutating func meetMoments(of level: LevelName) {
    if let kill = options.kill, kill.level == level { player.plan(.kill, atUs: player.nowUs + kill.afterUs) }
    if let sleep = options.sleep, sleep.level == level { player.plan(.sleep, atUs: player.nowUs + sleep.afterUs) }
    if let loss = options.daemonLoss, loss.level == level {
      player.plan(.loseDaemon, atUs: player.nowUs + loss.afterUs)
    }
  }
}
