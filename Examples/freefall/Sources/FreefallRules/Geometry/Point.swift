// SPDX-License-Identifier: Apache-2.0

/// A place on the screen, or a way across it, in points: x to the right, y downwards, (0, 0) at the top left.
public struct Point: Equatable, Sendable, Codable {
  public var x: Double
  public var y: Double

  /// The place `x` points from the left and `y` points from the top.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  static func + (left: Point, right: Point) -> Point { Point(x: left.x + right.x, y: left.y + right.y) }
  static func - (left: Point, right: Point) -> Point { Point(x: left.x - right.x, y: left.y - right.y) }
  static func * (left: Point, factor: Double) -> Point { Point(x: left.x * factor, y: left.y * factor) }

  func dot(_ other: Point) -> Double { x * other.x + y * other.y }
  /// The third component of the cross product: above 0 where `other` lies clockwise of this one on the screen.
  func cross(_ other: Point) -> Double { x * other.y - y * other.x }

  func isWithin(_ distance: Double, of other: Point) -> Bool {
    let way = self - other
    return way.dot(way) <= distance * distance
  }
}
