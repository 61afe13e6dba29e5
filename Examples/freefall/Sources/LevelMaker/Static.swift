// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import SeededNumbers

/// World 4: the lines of a screen without a picture, broken where the way goes through, some of them torn aslant.
func noise(_ ground: Ground, _ ask: Ask, _ random: inout Seeded) -> [LevelFile.ObstacleFields] {
  let lines = 17 - ask.name.number % 4
  let pitch = ground.height / Double(lines)
  let cells = 26
  let cell = ground.width / Double(cells)
  var made: [LevelFile.ObstacleFields] = []
  for line in 0..<lines {
    let y = (Double(line) + 0.5) * pitch
    let thickness = line.isMultiple(of: 3) ? 18.0 : 9.0
    var start: Int?
    for index in 0...cells {
      let isFree =
        index < cells
        && ground.clear(
          ground.rect(Double(index) * cell, y - thickness / 2, Double(index + 1) * cell, y + thickness / 2, .abstract))
          != nil
      if isFree {
        start = start ?? index
      } else if let from = start {
        start = nil
        guard index - from >= 2 else { continue }
        // What lies far from the way is left out in part, or the eye finds no way at all.
        let (left, right) = (Double(from) * cell, Double(index) * cell)
        let bar = ground.rect(
          from == 0 ? -10 : left, y - thickness / 2, index == cells ? ground.width + 10 : right, y + thickness / 2,
          .abstract)
        made.append(bar)
      }
    }
  }
  for index in made.indices where random.oneIn(4) {
    guard let size = made[index].size, size.width < 130 else { continue }
    var torn = made[index]
    torn.rotation = Double(random.whole(-3...3) * 7)
    if ground.clear(torn) != nil { made[index] = torn }
  }
  return made
}
