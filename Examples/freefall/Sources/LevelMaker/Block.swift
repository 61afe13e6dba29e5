// SPDX-License-Identifier: Apache-2.0

import FreefallLevels
import FreefallRules
import SeededNumbers

/// World 1: a street of houses under the way, and blocks that hang from above, in even plots.
func block(_ ground: Ground, _ ask: Ask, _ random: inout Seeded) -> [LevelFile.ObstacleFields] {
  let plots = 8
  let plot = ground.width / Double(plots)
  let street = 5.0
  let storey = 14.0
  var made: [LevelFile.ObstacleFields] = []
  for index in 0..<plots {
    let (left, right) = (Double(index) * plot + street, Double(index + 1) * plot - street)
    let slack = Double(random.whole(0...2)) * storey
    let span = ground.span(left, right)
    // Beside the way stand the tallest houses, so that the street closes.
    let bottom = span?.bottom ?? ground.height * random.real(0.3...0.6)
    let roof = ground.height - ((ground.height - bottom - slack) / storey).rounded(.down) * storey
    if ground.height - roof >= storey * 2 {
      made.append(ground.rect(left, roof, right, ground.height + 20, .neonOutline))
      let middle = (left + right) / 2
      let mast = ground.clear(
        .line([ground.place(middle, roof), ground.place(middle, roof - storey * 2)], style: .neonOutline))
      if let mast, index % 2 == ask.name.number % 2 { made.append(mast) }
    }
    let hangs = (index + ask.name.number) % (ask.name.number < 4 ? 3 : 2) == 0 || ask.name.number > 7
    if hangs, let top = span?.top {
      let ledge = ((top - Double(random.whole(0...1)) * storey) / storey).rounded(.down) * storey
      if ledge >= storey * 2 { made.append(ground.rect(left, -20, right, ledge, .neonOutline)) }
    }
  }
  return made
}
