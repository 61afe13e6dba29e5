// SPDX-License-Identifier: Apache-2.0

/// The fall between levels: it begins with its sounds, goes on until a wall is touched, and ends by itself.
public struct Intermission: Equatable, Sendable {
  /// The level after which it comes.
  public let after: LevelName
  public let rules: Rules
  public let beganUs: Int64
  /// How far the ball is from the centre, in points, to the right.
  public private(set) var offset: Double = 0
  /// On the screen and below it, the uppermost first.
  public private(set) var walls: [Wall] = []
  public private(set) var death: Death?
  public private(set) var isOver = false
  private var velocity: Double = 0
  private var score: Double = 0
  private var steps = 0
  /// Points of the fall until the next wall comes in below.
  private var untilWall: Double

  /// A wall that reaches in from one side.
  public struct Wall: Equatable, Sendable {
    public let isLeft: Bool
    /// Its upper edge, in points from the top.
    public internal(set) var y: Double

    /// A wall whose upper edge is `y` points from the top.
    public init(isLeft: Bool, y: Double) {
      self.isLeft = isLeft
      self.y = y
    }
  }

  /// How it ended.
  public struct Death: Equatable, Sendable {
    public let atUs: Int64
    /// Whole seconds of play: what "SURVIVED X SECONDS" says.
    public let seconds: Int
    /// Rounded down.
    public let points: Int
  }

  /// What happens, at its instant.
  public enum Event: Equatable, Sendable {
    case died(Death)
    /// Its words have stood long enough: what comes after it comes now.
    case ended(atUs: Int64)
  }

  /// What covers the screen: 0 to 1 of black, and of white over it.
  public struct Cover: Equatable, Sendable {
    public let black: Double
    public let white: Double

    /// So much black, and so much white over it.
    public init(black: Double, white: Double) {
      self.black = black
      self.white = white
    }
  }

  /// An intermission that begins at `us`.
  public init(after: LevelName, rules: Rules, beganUs us: Int64) {
    self.after = after
    self.rules = rules
    beganUs = us
    untilWall = rules.intermission.wallGap
  }

  /// When play begins, with the track.
  public var playUs: Int64 { beganUs + rules.intermission.playUs }

  /// When it ends; nil while the ball lives.
  public var endUs: Int64? { death.map { $0.atUs + rules.intermission.whiteUs + rules.intermission.wordsUs } }

  /// Points per second of the fall, after so much play.
  public func speed(atPlayUs us: Int64) -> Double {
    var speed = rules.intermission.speed
    for _ in 0..<max(us / rules.intermission.speedStepUs, 0) { speed *= rules.intermission.speedFactor }
    return speed
  }

  /// Points so far, rounded down; the most there can be where they are more.
  public var points: Int { Int(exactly: score.rounded(.down)) ?? .max }

  /// Makes the steps that end at or before `us`, and ends it where its words have stood long enough.
  public mutating func advance(toUs us: Int64, using chance: inout some RandomNumberGenerator) -> [Event] {
    var events: [Event] = []
    while death == nil {
      let stepEndUs = playUs + Units.endUs(ofStep: steps + 1, perSecond: rules.intermission.stepsPerSecond)
      guard stepEndUs <= us else { break }
      step(using: &chance)
      if isTouched {
        let death = Death(
          atUs: stepEndUs, seconds: Int(Units.seconds(stepEndUs - playUs)), points: points)
        self.death = death
        events.append(.died(death))
      }
    }
    if let endUs, endUs <= us, !isOver {
      isOver = true
      events.append(.ended(atUs: endUs))
    }
    return events
  }

  /// A tap at `x` points from the left, to which time has passed: the ball dodges to that half. Only in play.
  public mutating func tap(x: Double, atUs us: Int64) {
    guard us >= playUs, death == nil else { return }
    let isLeft = x < rules.ball.screenWidth * Units.half
    velocity = isLeft ? -rules.intermission.dodgeSpeed : rules.intermission.dodgeSpeed
  }

  /// What covers the screen at `us`: black before play and after death, white as it dies.
  public func cover(atUs us: Int64) -> Cover {
    let rules = rules.intermission
    if let death {
      let part = min(Double(max(us - death.atUs, 0)) / Double(max(rules.whiteUs, 1)), 1)
      return Cover(black: part, white: 1 - part)
    }
    guard us < playUs else { return Cover(black: 0, white: 0) }
    return Cover(black: min(Double(max(us - beganUs, 0)) / Double(max(rules.blackUs, 1)), 1), white: 0)
  }

  /// Whether "SURVIVED X SECONDS" and the points stand on the black at `us`.
  public func showsWords(atUs us: Int64) -> Bool {
    guard let death, let endUs else { return false }
    return us >= death.atUs + rules.intermission.whiteUs && us < endUs
  }

  private mutating func step(using chance: inout some RandomNumberGenerator) {
    let rules = rules.intermission
    let playedUs = Units.endUs(ofStep: steps, perSecond: rules.stepsPerSecond)
    let length = 1 / Double(rules.stepsPerSecond)
    let speed = speed(atPlayUs: playedUs)
    steps += 1
    score += speed * rules.scorePerSpeed * bonus(atPlayUs: playedUs)
    velocity -= (offset * rules.springStiffness + velocity * rules.springDamping) * length
    offset += velocity * length
    for index in walls.indices { walls[index].y -= speed * length }
    walls.removeAll { $0.y + rules.wallThickness < 0 }
    untilWall -= speed * length
    while untilWall <= 0 {
      walls.append(Wall(isLeft: Bool.random(using: &chance), y: self.rules.ball.screenHeight + untilWall))
      let gap = Double.random(in: -rules.wallGapSpread...rules.wallGapSpread, using: &chance)
      untilWall += max(rules.wallGap + gap, rules.wallThickness + 1)
    }
  }

  private func bonus(atPlayUs us: Int64) -> Double {
    if us >= rules.intermission.secondBonusUs { return rules.intermission.secondBonus }
    return us >= rules.intermission.firstBonusUs ? rules.intermission.firstBonus : 1
  }

  /// Whether a ball so far from the centre touches that wall.
  public func isTouched(by wall: Wall, atOffset offset: Double) -> Bool {
    let (rules, ball) = (rules.intermission, rules.ball)
    let centre = ball.screenWidth * Units.half
    let place = Point(x: centre + offset, y: ball.screenHeight * rules.ballHeight)
    let edge = wall.isLeft ? centre + rules.wallReach : centre - rules.wallReach
    let x = wall.isLeft ? min(place.x, edge) : max(place.x, edge)
    let y = min(max(place.y, wall.y), wall.y + rules.wallThickness)
    return Point(x: x, y: y).isWithin(ball.radius, of: place)
  }

  /// Whether the ball touches a wall, or has left the screen.
  private var isTouched: Bool {
    abs(offset) > rules.ball.screenWidth * Units.half + rules.ball.radius
      || walls.contains { isTouched(by: $0, atOffset: offset) }
  }
}
