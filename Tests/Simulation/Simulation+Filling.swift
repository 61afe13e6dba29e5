// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// A crowd plans all sounds that the mixer may be told of ahead, and has them taken back and let come again before it goes on: it
/// has room for what another asks for all the same.
extension Simulation {
  private static let crowd = 8

  mutating func fillMixer() throws {
    guard !ledger.time.isPaused else { return }
    try ask(0, SettingsSet.name, "{\"sound\":true}")
    let crowd = try come(Self.crowd + 1)
    let other = crowd.upperBound - 1
    for client in crowd.dropLast() {
      for _ in 0..<80 {
        demand(
          client, SoundPlay.name, "\"sound\":\"game:click\",\"gain\":0.001,",
          at: checks.nowUs + fillings.integer(70_000...95_000))
      }
      try settle()
    }
    let rounds = 10 + fillings.next(below: 40)
    if fillings.oneIn(2) {
      for _ in 0..<rounds {
        for client in crowd.dropLast() { demand(client, SoundStop.name, "") }
        try settle()
      }
    } else {
      for _ in 0..<rounds {
        demand(crowd.lowerBound, SettingsSet.name, "\"sound\":false")
        demand(crowd.lowerBound, SettingsSet.name, "\"sound\":true")
      }
      try settle()
    }
    try askForLittle(other)
    try step(fillings.integer(1_000...200_000))
    try settle()
    go(crowd)
  }

  /// What is a client's own, for now: of a mixer that is full it would come to nothing, and that would be told as a problem.
  mutating func askForLittle(_ client: Int) throws {
    demand(client, SoundPlay.name, "\"sound\":\"game:click\",\"gain\":0.001", isOwed: true)
    try settle()
  }
}
