// SPDX-License-Identifier: Apache-2.0

import FreefallRules

/// A level as its file has it. Positions and the points of polygons and lines are parts of the screen's width and height
/// (0 to 1); sizes and radii are points, rotations degrees clockwise.
public struct LevelFile: Codable, Equatable, Sendable {
  public var worldId: Int
  public var levelId: Int
  public var launchPosition: Place
  /// Points per second.
  public var launchVelocity: Velocity
  public var goalPosition: Place
  public var goalRadius: Double
  public var initialGravityDown: Bool
  public var parFlips: Int
  /// Seconds.
  public var parTime: Double
  public var obstacles: [ObstacleFields]
  public var collectibles: [Place]

  /// A level file of these; what is out of bounds is refused by `level(on:file:)`.
  public init(
    worldId: Int, levelId: Int, launchPosition: Place, launchVelocity: Velocity, goalPosition: Place,
    goalRadius: Double, initialGravityDown: Bool, parFlips: Int, parTime: Double, obstacles: [ObstacleFields],
    collectibles: [Place]
  ) {
    self.worldId = worldId
    self.levelId = levelId
    self.launchPosition = launchPosition
    self.launchVelocity = launchVelocity
    self.goalPosition = goalPosition
    self.goalRadius = goalRadius
    self.initialGravityDown = initialGravityDown
    self.parFlips = parFlips
    self.parTime = parTime
    self.obstacles = obstacles
    self.collectibles = collectibles
  }

  /// Parts of the screen's width and height.
  public struct Place: Codable, Equatable, Sendable {
    public var x: Double
    public var y: Double

    /// `x` from the left, `y` from the top, of 1.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Points per second.
  public struct Velocity: Codable, Equatable, Sendable {
    public var dx: Double
    public var dy: Double

    /// `dx` to the right, `dy` downwards.
    public init(dx: Double, dy: Double) {
      self.dx = dx
      self.dy = dy
    }
  }

  /// One obstacle; which fields it has follows from its type.
  public struct ObstacleFields: Codable, Equatable, Sendable {
    public var type: Kind
    public var style: Obstacle.Style
    /// The centre of a rect or a circle.
    public var position: Place?
    /// Of a rect, in points.
    public var size: Size?
    /// Of a circle, in points.
    public var radius: Double?
    /// Of a polygon (3 or more) or a line (2).
    public var points: [Place]?
    /// Of a rect about its centre, degrees clockwise; 0 where it is not given.
    public var rotation: Double?

    /// What an obstacle can be.
    public enum Kind: String, Codable, Sendable {
      case rect, circle, polygon, line
    }

    /// Points.
    public struct Size: Codable, Equatable, Sendable {
      public var width: Double
      public var height: Double

      /// A size in points.
      public init(width: Double, height: Double) {
        self.width = width
        self.height = height
      }
    }
  }
}

extension LevelFile.ObstacleFields {
  /// A rect, rotated about its centre.
  public static func rect(
    _ position: LevelFile.Place, size: Size, rotation: Double? = nil, style: Obstacle.Style
  ) -> Self {
    Self(type: .rect, style: style, position: position, size: size, rotation: rotation)
  }

  /// A circle.
  public static func circle(_ position: LevelFile.Place, radius: Double, style: Obstacle.Style) -> Self {
    Self(type: .circle, style: style, position: position, radius: radius)
  }

  /// A polygon.
  public static func polygon(_ points: [LevelFile.Place], style: Obstacle.Style) -> Self {
    Self(type: .polygon, style: style, points: points)
  }

  /// A line.
  public static func line(_ points: [LevelFile.Place], style: Obstacle.Style) -> Self {
    Self(type: .line, style: style, points: points)
  }
}
