// SPDX-License-Identifier: Apache-2.0

/// One flight from launch to death or goal, in fixed steps from its launch: the same taps give the same flight, however
/// often it is advanced.
public struct Attempt: Equatable, Sendable {
  public let level: Level
  public let rules: BallRules
  public private(set) var launchedUs: Int64
  public private(set) var ball: Ball
  public private(set) var flips = 0
  /// Which of the level's collectibles are taken, in their order.
  public private(set) var isCollected: [Bool]
  public private(set) var trail = Trail()
  public private(set) var end: End?
  /// The instant at which `ball` is where it is.
  private var atUs: Int64
  private var steps = 0

  /// How a flight ends.
  public enum End: Equatable, Sendable {
    case died
    case reachedGoal
  }

  /// What happens in flight.
  public enum Event: Equatable, Sendable {
    case collected(index: Int, atUs: Int64)
    case ended(End, atUs: Int64)
  }

  /// A flight that is launched now.
  public init(level: Level, rules: BallRules, launchedUs: Int64) {
    self.level = level
    self.rules = rules
    self.launchedUs = launchedUs
    atUs = launchedUs
    ball = Ball(launchedOn: level)
    isCollected = level.collectibles.map { _ in false }
    trail.add(ball.position, limit: rules.trailPoints)
  }

  /// Makes the steps that end at or before `us`.
  public mutating func advance(toUs us: Int64) -> [Event] {
    var events: [Event] = []
    while end == nil {
      let stepEndUs = launchedUs + Units.endUs(ofStep: steps + 1, perSecond: rules.stepsPerSecond)
      guard stepEndUs <= us else { break }
      steps += 1
      moveBall(toUs: stepEndUs)
      meet(&events)
    }
    return events
  }

  /// Turns gravity over at `us`, exactly, also within a step; an instant that is past counts as the latest step made.
  /// False where the flight has ended by then: there was nothing to flip.
  public mutating func flip(atUs us: Int64) -> (isFlipped: Bool, events: [Event]) {
    let events = advance(toUs: us)
    guard end == nil else { return (false, events) }
    if us > atUs { moveBall(toUs: us) }
    ball.isGravityDown.toggle()
    flips += 1
    return (true, events)
  }

  /// The ball as it is to be drawn at `us`.
  public func ball(atUs us: Int64) -> Ball {
    end == nil && us > atUs ? ball.moved(Units.seconds(us - atUs), gravity: rules.gravity) : ball
  }

  /// Time that does not count, because all stood still for so long.
  mutating func shift(byUs lengthUs: Int64) {
    launchedUs += lengthUs
    atUs += lengthUs
  }

  private mutating func moveBall(toUs us: Int64) {
    ball = ball.moved(Units.seconds(us - atUs), gravity: rules.gravity)
    atUs = us
  }

  /// What the ball touches at the end of a step: what it takes first, then what kills it, then the goal.
  private mutating func meet(_ events: inout [Event]) {
    if steps.isMultiple(of: rules.stepsPerTrailPoint) { trail.add(ball.position, limit: rules.trailPoints) }
    for index in level.collectibles.indices where !isCollected[index] {
      if ball.position.isWithin(rules.radius + rules.collectibleRadius, of: level.collectibles[index]) {
        isCollected[index] = true
        events.append(.collected(index: index, atUs: atUs))
      }
    }
    if ball.hasLeft(rules) || level.obstacles.contains(where: { $0.touches(ball: ball.position, rules: rules) }) {
      finish(.died, &events)
    } else if ball.position.isWithin(rules.radius + level.goalRadius, of: level.goalPosition) {
      finish(.reachedGoal, &events)
    }
  }

  private mutating func finish(_ end: End, _ events: inout [Event]) {
    self.end = end
    trail.add(ball.position, limit: rules.trailPoints)
    events.append(.ended(end, atUs: atUs))
  }
}
