// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// One client begins sounds as fast as it can, and one that has just come a few: whoever holds at most that many loses none to
/// another, and is refused none.
extension Simulation {
  /// How many sounds it plays: fewer than its part of all voices, whoever else there is.
  private static let ofTheModest = 4

  mutating func floodSounds() throws {
    guard !ledger.time.isPaused else { return }
    let flooder = floods.next(below: clients.count)
    try connect()
    let modest = clients.count - 1
    // All at one instant, all as soon as they can, or each when it will; loops first, which hold what they get.
    let mode = floods.next(below: 3)
    let due = checks.nowUs + floods.integer(10_000...95_000)
    for round in 0..<Self.ofTheModest {
      for _ in 0..<(50 + floods.next(below: 350)) {
        let at = [due, nil, checks.nowUs + floods.integer(0...95_000)][mode]
        try ask(
          flooder, "sound.play",
          "{\"sound\":\"game:click\",\"gain\":0.002,\"loop\":\(round == 0)\(at.map { ",\"atUs\":\($0)" } ?? "")}")
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
    try ask(flooder, "sound.stop", "{}")
    try settle()
    ledger.lose(clients.remove(at: modest).name, nowUs: checks.nowUs)
    for _ in 0..<6 { _ = server.turn(waiting: false) }
  }
}
