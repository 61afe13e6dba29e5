// SPDX-License-Identifier: Apache-2.0

/// What the ball must not touch.
public struct Obstacle: Equatable, Sendable {
  public let shape: Shape
  public let style: Style
  private let least: Point
  private let greatest: Point

  /// An obstacle of this shape; a polygon has at least three corners.
  public init(shape: Shape, style: Style) {
    self.shape = shape
    self.style = style
    (least, greatest) = shape.box
  }

  /// How it is drawn; it feels alike in all of them.
  public enum Style: String, Sendable, Codable, CaseIterable {
    case neonOutline = "neon_outline"
    case textured
    case pulsing
    case abstract
  }

  /// Whether a ball at `centre` touches it.
  public func touches(ball centre: Point, rules: BallRules) -> Bool {
    let reach = rules.radius + rules.lineReach
    guard centre.x >= least.x - reach, centre.x <= greatest.x + reach,
      centre.y >= least.y - reach, centre.y <= greatest.y + reach
    else { return false }
    return shape.touches(ball: centre, radius: rules.radius, lineReach: rules.lineReach)
  }
}
