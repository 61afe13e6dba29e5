// SPDX-License-Identifier: Apache-2.0

/// What an obstacle covers of the screen, in points. A rectangle is a polygon of four corners.
public enum Shape: Equatable, Sendable {
  case circle(centre: Point, radius: Double)
  /// Filled, at least three corners, convex or not.
  case polygon([Point])
  case line(from: Point, to: Point)

  /// Whether a ball touches it: its rim in contact counts. `lineReach` is half of a line's width.
  public func touches(ball centre: Point, radius: Double, lineReach: Double) -> Bool {
    switch self {
    case .circle(let middle, let ownRadius): centre.isWithin(ownRadius + radius, of: middle)
    case .line(let from, let to): Segment(from: from, to: to).isWithin(radius + lineReach, of: centre)
    case .polygon(let corners): Self.polygon(corners, touches: centre, radius: radius)
    }
  }

  /// The box around it: its least and greatest coordinates.
  public var box: (least: Point, greatest: Point) {
    switch self {
    case .circle(let centre, let radius):
      (Point(x: centre.x - radius, y: centre.y - radius), Point(x: centre.x + radius, y: centre.y + radius))
    case .line(let from, let to): Self.box(of: [from, to])
    case .polygon(let corners): Self.box(of: corners)
    }
  }

  /// Inside by the even-odd rule, or within `radius` of an edge.
  private static func polygon(_ corners: [Point], touches point: Point, radius: Double) -> Bool {
    var isInside = false
    var previous = corners[corners.count - 1]
    for corner in corners {
      if Segment(from: previous, to: corner).isWithin(radius, of: point) { return true }
      if (corner.y > point.y) != (previous.y > point.y),
        point.x < (previous.x - corner.x) * (point.y - corner.y) / (previous.y - corner.y) + corner.x
      {
        isInside.toggle()
      }
      previous = corner
    }
    return isInside
  }

  private static func box(of points: [Point]) -> (least: Point, greatest: Point) {
    var least = points[0]
    var greatest = points[0]
    for point in points {
      least = Point(x: min(least.x, point.x), y: min(least.y, point.y))
      greatest = Point(x: max(greatest.x, point.x), y: max(greatest.y, point.y))
    }
    return (least, greatest)
  }
}
