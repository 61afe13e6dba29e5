// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// Clients, one or a crowd of them, begin sounds as fast as they can, and one that has just come a few: whoever asks for no more
/// than is its own is refused none, loses none to another, and is heard with its stop.
extension Simulation {
  /// How many sounds it plays: as many as each client has room for whatever others ask, and fewer than its part of all voices.
  private static let ofTheModest = 4
  /// The most that flood: each takes of what the others leave, so some take all.
  private static let largestCrowd = 9

  mutating func floodSounds() throws {
    guard !ledger.time.isPaused else { return }
    let first = floods.next(below: clients.count)
    let crowd = floods.oneIn(2) ? 1 : 2 + floods.next(below: Self.largestCrowd - 1)
    let before = clients.count
    for _ in 0..<crowd { try connect() }
    let modest = clients.count - 1
    let flooders = [first] + (before..<modest)
    // All at one instant, all as soon as they can, or each when it will; loops first, which hold what they get.
    let mode = floods.next(below: 3)
    let due = checks.nowUs + floods.integer(10_000...95_000)
    for round in 0..<Self.ofTheModest {
      // Of a crowd one after the other, each for all that it gets.
      for flooder in flooders {
        for _ in 0..<(crowd > 1 ? (round == 0 ? 300 : 50) : 50 + floods.next(below: 350)) {
          let at = [due, nil, checks.nowUs + floods.integer(0...95_000)][mode]
          try ask(
            flooder, "sound.play",
            "{\"sound\":\"game:click\",\"gain\":0.002,\"loop\":\(round == 0)\(at.map { ",\"atUs\":\($0)" } ?? "")}")
        }
        if crowd > 1 { try settle() }
      }
      let at = floods.oneIn(2) ? "" : ",\"atUs\":\(checks.nowUs + floods.integer(0...60_000))"
      let id = takeID()
      var sent = SimulatedClient.Sent(id: id, method: SoundPlay.name)
      sent.isModest = true
      let line = "{\"id\":\(id),\"method\":\"sound.play\",\"params\":{\"sound\":\"game:click\",\"gain\":0.001\(at)}}"
      clients[modest].send(Array(line.utf8), sent)
      try settle()
      try step(floods.integer(1...6_000))
      try settle()
    }
    try step(floods.integer(100_000...400_000))
    try settle()
    try ledger.voices.check()
    for flooder in flooders {
      for _ in 0..<200 { try ask(flooder, "sound.play", "{\"sound\":\"game:click\",\"gain\":0.002}") }
    }
    var stop = SimulatedClient.Sent(id: takeID(), method: SoundStop.name)
    stop.isOwed = true
    clients[modest].send(Array("{\"id\":\(stop.id),\"method\":\"sound.stop\",\"params\":{}}".utf8), stop)
    try settle()
    for _ in 0..<crowd { ledger.lose(clients.remove(at: before).name, nowUs: checks.nowUs) }
    for _ in 0..<6 { _ = server.turn(waiting: false) }
  }
}
