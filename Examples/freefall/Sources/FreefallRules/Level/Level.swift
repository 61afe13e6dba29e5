// SPDX-License-Identifier: Apache-2.0

/// One level, in points of the screen; `FreefallLevels` makes it of a level file.
public struct Level: Equatable, Sendable {
  public let name: LevelName
  public let launchPosition: Point
  /// Points per second.
  public let launchVelocity: Point
  public let goalPosition: Point
  public let goalRadius: Double
  public let initialGravityDown: Bool
  public let parFlips: Int
  public let parTimeUs: Int64
  public let obstacles: [Obstacle]
  public let collectibles: [Point]

  /// A level of these; nothing is checked here.
  public init(
    name: LevelName, launchPosition: Point, launchVelocity: Point, goalPosition: Point, goalRadius: Double,
    initialGravityDown: Bool, parFlips: Int, parTimeUs: Int64, obstacles: [Obstacle], collectibles: [Point]
  ) {
    self.name = name
    self.launchPosition = launchPosition
    self.launchVelocity = launchVelocity
    self.goalPosition = goalPosition
    self.goalRadius = goalRadius
    self.initialGravityDown = initialGravityDown
    self.parFlips = parFlips
    self.parTimeUs = parTimeUs
    self.obstacles = obstacles
    self.collectibles = collectibles
  }
}
