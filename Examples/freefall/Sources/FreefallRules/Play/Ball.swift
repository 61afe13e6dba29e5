// SPDX-License-Identifier: Apache-2.0

/// A ball in free fall: exact over any length of time, as gravity is constant between flips.
public struct Ball: Equatable, Sendable {
  public var position: Point
  /// Points per second.
  public var velocity: Point
  public var isGravityDown: Bool

  /// The ball that a level launches.
  public init(launchedOn level: Level) {
    position = level.launchPosition
    velocity = level.launchVelocity
    isGravityDown = level.initialGravityDown
  }

  /// Where it is `seconds` later.
  public func moved(_ seconds: Double, gravity: Double) -> Ball {
    let pull = isGravityDown ? gravity : -gravity
    var ball = self
    ball.velocity.y += pull * seconds
    ball.position.x += velocity.x * seconds
    ball.position.y += (velocity.y + ball.velocity.y) * Units.half * seconds
    return ball
  }

  /// Whether nothing of it is on the screen any more.
  public func hasLeft(_ rules: BallRules) -> Bool {
    position.x + rules.radius < 0 || position.x - rules.radius > rules.screenWidth
      || position.y + rules.radius < 0 || position.y - rules.radius > rules.screenHeight
  }
}
