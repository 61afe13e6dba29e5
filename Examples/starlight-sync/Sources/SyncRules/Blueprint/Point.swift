// SPDX-License-Identifier: Apache-2.0

/// A place in points from the heart's origin: x to the right, y upwards.
public struct Point: Equatable, Sendable, Codable {
  public var x: Double
  public var y: Double

  /// The place `x` points to the right of the origin and `y` above it.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  func isWithin(_ distance: Double, of other: Point) -> Bool {
    let (dx, dy) = (x - other.x, y - other.y)
    return dx * dx + dy * dy <= distance * distance
  }

  func distance(to other: Point) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The place that is so much of the way to `other`, 0 to 1.
  func towards(_ other: Point, part: Double) -> Point {
    Point(x: x + (other.x - x) * part, y: y + (other.y - y) * part)
  }
}
