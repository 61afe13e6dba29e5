// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallRules

extension LevelFile {
  /// Bounds of what a file may hold, so that no file makes the game slow or leads it off the screen.
  enum Bounds {
    static let bytes = 64 * 1024
    static let collectibles = 3...5
    static let obstacles = 0...64
    static let corners = 3...64
    static let length = 1.0...1000.0
    static let speed = -2000.0...2000.0
    static let parFlips = 1...100
    static let parTime = 0.1...100.0
    /// Polygons may reach past the screen's edge, so that no gap stays there.
    static let place = -0.5...1.5
  }

  /// The level in points of a screen; what is out of bounds is refused by name.
  public func level(on ball: BallRules, file: String) throws(LevelProblem) -> Level {
    func check<Value: Comparable>(_ name: String, _ value: Value, _ range: ClosedRange<Value>) throws(LevelProblem) {
      guard !range.contains(value) else { return }
      throw LevelProblem(file: file, message: "\(name) is \(value); write \(range.lowerBound) to \(range.upperBound)")
    }
    func onScreen(_ name: String, _ place: Place) throws(LevelProblem) -> Point {
      try check(name + ".x", place.x, 0...1)
      try check(name + ".y", place.y, 0...1)
      return place.on(ball)
    }
    try check("goalRadius", goalRadius, Bounds.length)
    try check("launchVelocity.dx", launchVelocity.dx, Bounds.speed)
    try check("launchVelocity.dy", launchVelocity.dy, Bounds.speed)
    try check("parFlips", parFlips, Bounds.parFlips)
    try check("parTime", parTime, Bounds.parTime)
    try check("the number of collectibles", collectibles.count, Bounds.collectibles)
    try check("the number of obstacles", obstacles.count, Bounds.obstacles)
    var made: [Obstacle] = []
    for (index, fields) in obstacles.enumerated() {
      let name = "obstacles[\(index)]"
      for (place, point) in (fields.points ?? []).enumerated() {
        try check("\(name).points[\(place)].x", point.x, Bounds.place)
        try check("\(name).points[\(place)].y", point.y, Bounds.place)
      }
      if let position = fields.position {
        try check(name + ".position.x", position.x, Bounds.place)
        try check(name + ".position.y", position.y, Bounds.place)
      }
      if let radius = fields.radius { try check(name + ".radius", radius, Bounds.length) }
      if let size = fields.size {
        try check(name + ".size.width", size.width, Bounds.length)
        try check(name + ".size.height", size.height, Bounds.length)
      }
      if let points = fields.points, fields.type == .polygon {
        try check("the number of \(name).points", points.count, Bounds.corners)
      }
      guard let shape = fields.shape(on: ball) else {
        throw LevelProblem(file: file, message: "\(name) is a \(fields.type.rawValue); \(fields.type.needs)")
      }
      made.append(Obstacle(shape: shape, style: fields.style))
    }
    var taken: [Point] = []
    for (index, place) in collectibles.enumerated() { taken.append(try onScreen("collectibles[\(index)]", place)) }
    return Level(
      name: LevelName(world: worldId, number: levelId),
      launchPosition: try onScreen("launchPosition", launchPosition),
      launchVelocity: Point(x: launchVelocity.dx, y: launchVelocity.dy),
      goalPosition: try onScreen("goalPosition", goalPosition),
      goalRadius: goalRadius, initialGravityDown: initialGravityDown, parFlips: parFlips,
      parTimeUs: Int64((parTime * 1_000_000).rounded()), obstacles: made, collectibles: taken)
  }

  /// The file's bytes as a level file: what is too large, or no level file, is refused with the field that is wrong.
  public init(bytes: Data, file: String) throws(LevelProblem) {
    guard bytes.count <= Bounds.bytes else {
      throw LevelProblem(file: file, message: "it has \(bytes.count) bytes; a level has \(Bounds.bytes) at most")
    }
    do {
      self = try JSONDecoder().decode(LevelFile.self, from: bytes)
    } catch {
      throw LevelProblem(file: file, message: "it is no level: \(error.reason)")
    }
  }
}

extension LevelFile.Place {
  /// This place on a screen, in points.
  func on(_ ball: BallRules) -> Point { Point(x: x * ball.screenWidth, y: y * ball.screenHeight) }
}
