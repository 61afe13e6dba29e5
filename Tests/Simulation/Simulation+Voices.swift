// SPDX-License-Identifier: Apache-2.0

import Wire

/// The voices of patterns' sounds: one client takes all of them, and another that has just come finds one all the same.
extension Simulation {
  mutating func hoardVoices(_ client: Int) throws {
    guard !ledger.time.isPaused else { return }
    let hoarder = try play(RequestMaker.tones(40, lasting: 20, volume: 0), client)
    try step(random.integer(50_000...200_000))
    try settle()
    if let hoarder, isHeard(hoarder) {
      try ensure(
        ledger.unheard[hoarder] != nil, "40 tones of player \(hoarder) begin, and nobody is told what is not heard")
    }
    try connect()
    let player = try play(RequestMaker.tones(1, lasting: 0.5, volume: 0.05), clients.count - 1)
    try step(random.integer(50_000...300_000))
    try settle()
    if let player, isHeard(player) {
      try ensure(
        host.engine.patternVoices(of: player) > 0, "player \(player) is the only one of its client, and is not heard")
    }
    if random.oneIn(2) { try ask(client, "haptics.stop", "{}") }
  }

  /// Plays a document; the player, where it was granted.
  mutating func play(_ document: String, _ client: Int) throws -> Int64? {
    let last = ledger.recentPlayers.last
    try ask(client, "haptics.play", "{\"ahap\":\(document)}")
    try settle()
    return ledger.recentPlayers.last == last ? nil : ledger.recentPlayers.last
  }

  /// Whether what a player's pattern lets hear is heard now, where it finds a voice.
  func isHeard(_ player: Int64) -> Bool {
    ledger.isPlaying(player) && ledger.switches.sound(at: checks.nowUs - 500_000...checks.nowUs)
  }
}
