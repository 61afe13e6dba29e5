// SPDX-License-Identifier: Apache-2.0

/// Where the ball has been since its launch, for drawing and for the completion word.
public struct Trail: Equatable, Sendable {
  public private(set) var points: [Point] = []

  /// A trail of nothing yet.
  public init() {}

  /// Remembers a place, and forgets the oldest beyond `limit`.
  public mutating func add(_ point: Point, limit: Int) {
    if points.count >= limit { points.removeFirst(points.count - limit + 1) }
    points.append(point)
  }

  /// How often it passes through itself.
  public var crossings: Int {
    var count = 0
    for later in points.indices.dropFirst() {
      let segment = Segment(from: points[later - 1], to: points[later])
      for earlier in points.indices.dropFirst() where earlier < later - 1 {
        if segment.crosses(Segment(from: points[earlier - 1], to: points[earlier])) { count += 1 }
      }
    }
    return count
  }
}
