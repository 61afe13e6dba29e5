// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules

/// Where obstacles may stand: clear of every variation of the course, of the goal, and of what was put there before.
struct Ground {
  let rules: BallRules
  let points: [Point]
  let goal: Point
  let goalRadius: Double
  let clearance: Double

  init(_ course: Course, rules: BallRules, clearance: Double) {
    self.rules = rules
    self.clearance = clearance
    points = course.paths.flatMap { path in path.enumerated().filter { $0.offset % 2 == 0 }.map(\.element) }
    goal = Point(
      x: course.file.goalPosition.x * rules.screenWidth, y: course.file.goalPosition.y * rules.screenHeight)
    goalRadius = course.file.goalRadius
  }

  var width: Double { rules.screenWidth }
  var height: Double { rules.screenHeight }

  /// The heights that the ball takes between two abscissae, its own size and the clearance added; nil where it never is.
  func span(_ from: Double, _ to: Double) -> (top: Double, bottom: Double)? {
    let pad = rules.radius + clearance
    var top = Double.infinity
    var bottom = -Double.infinity
    for point in points where point.x > from - pad && point.x < to + pad {
      top = min(top, point.y - pad)
      bottom = max(bottom, point.y + pad)
    }
    let around = goalRadius + 8
    if goal.x + around > from, goal.x - around < to {
      top = min(top, goal.y - around)
      bottom = max(bottom, goal.y + around)
    }
    return top < bottom ? (top, bottom) : nil
  }

  func isClear(_ shape: Shape) -> Bool {
    let (least, greatest) = shape.box
    let reach = rules.radius + clearance + rules.lineReach
    for point in points
    where point.x > least.x - reach && point.x < greatest.x + reach && point.y > least.y - reach
      && point.y < greatest.y + reach
    {
      if shape.touches(ball: point, radius: rules.radius + clearance, lineReach: rules.lineReach) { return false }
    }
    return !shape.touches(ball: goal, radius: goalRadius + 8, lineReach: rules.lineReach)
  }

  /// The obstacle if it is clear.
  func clear(_ fields: LevelFile.ObstacleFields) -> LevelFile.ObstacleFields? {
    guard let shape = fields.shape(on: rules), isClear(shape) else { return nil }
    return fields
  }

  /// Whether nothing round of what stands is in its place, nor it, where it is round, in that of anything.
  func isFree(_ fields: LevelFile.ObstacleFields, of made: [LevelFile.ObstacleFields]) -> Bool {
    func stands(_ round: LevelFile.ObstacleFields, in other: LevelFile.ObstacleFields) -> Bool {
      guard case .circle(let centre, let radius)? = round.shape(on: rules), let shape = other.shape(on: rules) else {
        return false
      }
      return shape.touches(ball: centre, radius: radius - 0.5, lineReach: 0)
    }
    return made.allSatisfy { !stands(fields, in: $0) && !stands($0, in: fields) }
  }

  func place(_ x: Double, _ y: Double) -> LevelFile.Place {
    .init(x: rounded(x / width), y: rounded(y / height))
  }

  /// An upright rectangle between these edges.
  func rect(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double, _ style: Obstacle.Style)
    -> LevelFile.ObstacleFields
  {
    .rect(
      place((left + right) / 2, (top + bottom) / 2),
      size: .init(width: ((right - left) * 10).rounded() / 10, height: ((bottom - top) * 10).rounded() / 10),
      style: style)
  }
}
