// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import SeededNumbers

/// World 2: lamps on poles and lamps on chains, drums piled at their feet, and the rails of a fence between.
func yard(_ ground: Ground, _ ask: Ask, _ random: inout Seeded) -> [LevelFile.ObstacleFields] {
  let poles = 6
  let pitch = ground.width / Double(poles)
  let lamp = 17.0
  var made: [LevelFile.ObstacleFields] = []
  var heads: [Double] = []
  for index in 0..<poles {
    let x = (Double(index) + 0.5) * pitch
    let span = ground.span(x - lamp, x + lamp)
    let radius = lamp + Double(random.whole(0...1)) * 5
    let head = (span?.bottom ?? ground.height * random.real(0.35...0.6)) + radius
    let stood = ground.clear(.circle(ground.place(x, head), radius: radius, style: .textured))
    if head < ground.height - radius, let stood {
      heads.append(head)
      made.append(stood)
      made.append(
        .line([ground.place(x, head + radius), ground.place(x, ground.height)], style: .textured))
    } else {
      heads.append(ground.height)
    }
    if let top = span?.top, top > lamp * 2 {
      let hung = ground.clear(.circle(ground.place(x, top - radius), radius: radius, style: .textured))
      if let hung {
        made.append(hung)
        made.append(.line([ground.place(x, 0), ground.place(x, top - radius * 2)], style: .textured))
      }
    }
  }
  // Piled between two poles, where no lamp reaches in; the third stands on two.
  for index in 1..<poles where index % 3 == ask.name.number % 3 {
    let (x, bottom) = (Double(index) * pitch, ground.height - 14)
    var pile: [LevelFile.ObstacleFields] = []
    for drum in [(x: x - 14, y: bottom), (x: x + 14, y: bottom), (x: x, y: bottom - 24)] {
      let drum = LevelFile.ObstacleFields.circle(ground.place(drum.x, drum.y), radius: 14, style: .textured)
      if ground.clear(drum) != nil, ground.isFree(drum, of: made + pile) { pile.append(drum) } else { break }
    }
    made += pile
  }
  for index in 1..<poles {
    let (left, right) = ((Double(index) - 0.5) * pitch, (Double(index) + 0.5) * pitch)
    for rail in 1...2 {
      let y = max(heads[index - 1], heads[index]) + 34 * Double(rail)
      guard y < ground.height - 20 else { continue }
      let line = LevelFile.ObstacleFields.line([ground.place(left, y), ground.place(right, y)], style: .textured)
      if ground.clear(line) != nil, ground.isFree(line, of: made) { made.append(line) }
    }
  }
  return made
}
