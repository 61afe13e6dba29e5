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
    if index % 3 == ask.name.number % 3 {
      for drum in 0..<3 {
        let y = ground.height - 14 - Double(drum) * 24
        let place = ground.place(x + (drum == 2 ? 0 : drum == 1 ? 14 : -14), drum == 2 ? y + 24 : y + Double(drum) * 24)
        if let drum = ground.clear(.circle(place, radius: 14, style: .textured)) { made.append(drum) }
      }
    }
  }
  for index in 1..<poles {
    let (left, right) = ((Double(index) - 0.5) * pitch, (Double(index) + 0.5) * pitch)
    for rail in 1...2 {
      let y = max(heads[index - 1], heads[index]) + 34 * Double(rail)
      guard y < ground.height - 20 else { continue }
      let line = ground.clear(.line([ground.place(left, y), ground.place(right, y)], style: .textured))
      if let line { made.append(line) }
    }
  }
  return made
}
