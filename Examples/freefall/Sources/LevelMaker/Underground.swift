// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import SeededNumbers

/// World 3: a cave. Its roof and its floor are one rock each, with teeth towards the way, and crystals in the hollows.
func underground(_ ground: Ground, _ ask: Ask, _ random: inout Seeded) -> [LevelFile.ObstacleFields] {
  let teeth = 7 + ask.name.number % 3
  let pitch = ground.width / Double(teeth)
  var made: [LevelFile.ObstacleFields] = []
  for isRoof in [true, false] {
    let wall = isRoof ? 0 : ground.height
    let away = isRoof ? -1.0 : 1.0
    func surface(_ x: Double, _ half: Double) -> Double {
      guard let span = ground.span(x - half, x + half) else { return ground.height * (isRoof ? 0.35 : 0.65) }
      return isRoof ? span.top : span.bottom
    }
    var tips: [Double] = (0..<teeth).map { surface((Double($0) + 0.5) * pitch, 3) }
    let hollows: [Double] = (0...teeth).map { index in
      let y = surface(Double(index) * pitch, pitch * 0.5) + away * random.real(26...60)
      return isRoof ? max(y, 8) : min(y, ground.height - 8)
    }
    func rock(_ tips: [Double]) -> LevelFile.ObstacleFields {
      var corners = [ground.place(0, wall + away * 20), ground.place(0, hollows[0])]
      for index in 0..<teeth {
        corners.append(ground.place((Double(index) + 0.5) * pitch, tips[index]))
        corners.append(ground.place(Double(index + 1) * pitch, hollows[index + 1]))
      }
      corners.append(ground.place(ground.width, wall + away * 20))
      return .polygon(corners, style: .pulsing)
    }
    // A tooth that would reach into the way is drawn back until its flanks are clear as well.
    for index in 0..<teeth {
      for _ in 0..<60 {
        let (left, right) = (Double(index) * pitch, Double(index + 1) * pitch)
        let tooth = LevelFile.ObstacleFields.polygon(
          [
            ground.place(left, hollows[index]), ground.place((left + right) / 2, tips[index]),
            ground.place(right, hollows[index + 1]), ground.place((left + right) / 2, wall + away * 20),
          ], style: .pulsing)
        if ground.clear(tooth) != nil { break }
        tips[index] += away * 8
      }
      tips[index] = min(max(tips[index], 4), ground.height - 4)
    }
    if let rock = ground.clear(rock(tips)) { made.append(rock) }
    // None at the screen's edge, which would cut it in two.
    for index in 1..<teeth where (index + ask.name.number) % 3 == 0 {
      let (x, y) = (Double(index) * pitch, hollows[index] - away * 20)
      let crystal = ground.clear(
        .polygon(
          [ground.place(x, y - 13), ground.place(x + 8, y), ground.place(x, y + 13), ground.place(x - 8, y)],
          style: .pulsing))
      if let crystal { made.append(crystal) }
    }
  }
  return made
}
