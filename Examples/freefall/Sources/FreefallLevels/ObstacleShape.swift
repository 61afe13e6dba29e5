// SPDX-License-Identifier: Apache-2.0

import FreefallRules
import Glibc

extension LevelFile.ObstacleFields {
  /// What it covers of a screen, in points; nil where a field that its type needs is missing.
  public func shape(on ball: BallRules) -> Shape? {
    switch type {
    case .circle:
      guard let position, let radius else { return nil }
      return .circle(centre: position.on(ball), radius: radius)
    case .line:
      guard let points, points.count == 2 else { return nil }
      return .line(from: points[0].on(ball), to: points[1].on(ball))
    case .polygon:
      guard let points, points.count >= 3 else { return nil }
      return .polygon(points.map { $0.on(ball) })
    case .rect:
      guard let position, let size else { return nil }
      return .polygon(Self.corners(of: size, at: position.on(ball), rotation: rotation ?? 0))
    }
  }

  private static func corners(of size: Size, at centre: Point, rotation: Double) -> [Point] {
    let (sine, cosine) = (sin(rotation * .pi / 180), cos(rotation * .pi / 180))
    return [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { part in
      let (x, y) = (part.0 * size.width, part.1 * size.height)
      return Point(x: centre.x + x * cosine - y * sine, y: centre.y + x * sine + y * cosine)
    }
  }
}

extension LevelFile.ObstacleFields.Kind {
  /// What its fields must be.
  var needs: String {
    switch self {
    case .circle: "write its position and radius"
    case .line: "write its two points"
    case .polygon: "write its points, three at least"
    case .rect: "write its position and size"
    }
  }
}
