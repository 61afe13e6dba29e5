// SPDX-License-Identifier: Apache-2.0

/// The straight way between two points.
struct Segment {
  let from: Point
  let to: Point

  /// Whether some point of it is no further than `distance` from `point`.
  func isWithin(_ distance: Double, of point: Point) -> Bool {
    let way = to - from
    let length = way.dot(way)
    let along = length > 0 ? (point - from).dot(way) / length : 0
    return (from + way * min(max(along, 0), 1)).isWithin(distance, of: point)
  }

  /// Whether both pass through each other; ends that only touch are no crossing.
  func crosses(_ other: Segment) -> Bool {
    let way = to - from
    let otherWay = other.to - other.from
    return way.cross(other.from - from) * way.cross(other.to - from) < 0
      && otherWay.cross(from - other.from) * otherWay.cross(to - other.from) < 0
  }
}
