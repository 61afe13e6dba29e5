// SPDX-License-Identifier: Apache-2.0

import SeededNumbers

extension RequestMaker {
  /// From another place, at another rate, with every second of its beats.
  mutating func fillRun(_ sent: inout SimulatedClient.Sent, _ random: inout SeededRandom) {
    microseconds("positionUs", 0...2_500_000, &random)
    number("rate", 0.5...1.5, &random)
    microseconds("judgingOffsetUs", -500_000...500_000, &random)
    microseconds("leaseUs", 0...3_000_000, &random)
    guard random.oneIn(5), let chapter = world.chapters.first(where: { [$0.name, "game:" + $0.name].contains(named) })
    else {
      return
    }
    var map = chapter
    let places = chapter.beats.indices.filter { $0.isMultiple(of: 2) }
    (map.beats, map.laneOfBeat) = (places.map { chapter.beats[$0] }, places.map { chapter.laneOfBeat[$0] })
    let beats = map.beats.indices.map { index in
      let lane = map.lanes.isEmpty ? "" : ",\"lane\":\"\(map.lanes[map.laneOfBeat[index]])\""
      return "{\"at\":\(SimulatedPack.seconds(map.beats[index]))\(lane)}"
    }
    // One too many lies behind the chapter.
    let isBad = random.oneIn(6)
    fields.append("\"map\":{\"beats\":[\((beats + (isBad ? ["{\"at\":99999}"] : [])).joined(separator: ","))]}")
    if isBad { sent.isRefused = true } else { sent.map = map }
  }

  mutating func fillTap(_ random: inout SeededRandom) {
    if random.oneIn(4) { fields.append("\"run\":\(random.oneIn(4) ? world.run - 1 : world.run)") }
    if !world.lanes.isEmpty, !random.oneIn(10) { fields.append("\"lane\":\"\(random.pick(world.lanes))\"") }
    switch random.next(below: 5) {
    case 0: break
    case 1: fields.append("\"agoUs\":\(random.oneIn(10) ? extreme(&random) : random.integer(0...400_000))")
    case 2 where !world.beats.isEmpty:
      let near = world.beats.min { abs($0 - world.nowUs) < abs($1 - world.nowUs) } ?? 0
      fields.append("\"atUs\":\(near + random.integer(-350_000...350_000))")
    default:
      fields.append("\"atUs\":\(random.oneIn(20) ? extreme(&random) : world.nowUs - random.integer(-2_500...200_000))")
    }
  }
}
