// SPDX-License-Identifier: Apache-2.0

import Wire

/// Clients come, take what they can get, and go: whoever is here finds all that is its own, though all are the same user's.
extension Simulation {
  /// How many connect, play and go at a time.
  private static let batch = 30
  /// As many batches leave more sounds than there are voices.
  private static let batches = 3
  /// How long what they leave goes on without them.
  private static let keptUs: Int64 = 2_000_000

  mutating func comeAndGo() throws {
    guard !ledger.time.isPaused else { return }
    switch comers.next(below: 4) {
    case 0: try leaveSoundsBehind()
    case 1: try leaveTonesBehind()
    case 2: try takeAllPlayers()
    default: try leavePlansBehind()
    }
  }

  /// Each leaves one sound, louder than the only one of somebody who stays.
  private mutating func leaveSoundsBehind() throws {
    try connect()
    let modest = clients.count - 1
    loop(modest, gain: 0.001, keptUs: 0, isModest: true)
    try settle()
    try step(20_000)
    try settle()
    for _ in 0..<Self.batches {
      let crowd = try come(Self.batch)
      for client in crowd { loop(client, gain: 0.002, keptUs: Self.keptUs, isModest: false) }
      try settle()
      go(crowd)
      try step(comers.integer(110_000...200_000))
      try settle()
    }
    try ledger.voices.check()
    leaveAgain(modest)
  }

  /// Most go and some stay, each with a tone of a pattern: more than are heard at once.
  private mutating func leaveTonesBehind() throws {
    let kept = try come(24)
    for client in kept { try playTone(client, keptUs: Self.keptUs) }
    try settle()
    try step(comers.integer(20_000...60_000))
    try settle()
    go(kept)
    let staying = try come(12)
    for client in staying { try playTone(client, keptUs: 0) }
    try settle()
    try step(comers.integer(50_000...200_000))
    try settle()
    try connect()
    let player = try play(RequestMaker.tones(1, lasting: 0.8, volume: 0.01), clients.count - 1)
    try step(comers.integer(150_000...300_000))
    try settle()
    if let player, isHeard(player) {
      try ensure(
        host.engine.patternVoices(of: player) > 0, "player \(player) is its client's only one, and others have gone")
    }
    leaveAgain(clients.count - 1)
    go(staying)
    try endPlayers()
  }

  /// All players end, those of clients that have gone too: as soon as the slowest motor can, until which they count.
  mutating func endPlayers() throws {
    try ask(0, HapticsStop.name, "{}")
    try settle()
    try step(100_000)
    try settle()
  }

  /// As many as there may be, by clients that stay or go.
  private mutating func takeAllPlayers() throws {
    let crowd = try come(12)
    for client in crowd {
      for _ in 0..<8 {
        demand(
          client, HapticsContinuous.name,
          "\"durationUs\":1000000,\"intensity\":0.1,\"keepAfterDisconnectUs\":\(Self.keptUs),",
          at: checks.nowUs + 200_000)
      }
      try settle()
    }
    let stay = comers.oneIn(2)
    if !stay { go(crowd) }
    try connect()
    demand(clients.count - 1, HapticsContinuous.name, "\"durationUs\":100000,\"intensity\":0.1", isOwed: true)
    try settle()
    leaveAgain(clients.count - 1)
    if stay { go(crowd) }
    try endPlayers()
  }

  /// Two plan all that their user may, for seconds ahead, and stay or go.
  private mutating func leavePlansBehind() throws {
    let far = checks.nowUs + 3_000_000
    try ask(0, MusicPlay.name, "{\"track\":\"main\",\"atUs\":\(far)}")
    try settle()
    let crowd = try come(2)
    for (place, client) in crowd.enumerated() {
      for number in 0..<1_030 as Range<Int64> {
        demand(client, MusicGain.name, "\"gain\":0.5,", at: far + 30_000 * number + 15_000 * Int64(place + 1))
      }
      try settle()
    }
    let stay = comers.oneIn(2)
    if !stay { go(crowd) }
    try connect()
    // So many are each client's own.
    for number in 0..<8 as Range<Int64> {
      demand(
        clients.count - 1, SoundPlay.name, "\"sound\":\"game:click\",\"gain\":0.001,",
        at: checks.nowUs + 2_000_000 + 1_000 * number, isOwed: true)
    }
    try settle()
    leaveAgain(clients.count - 1)
    if stay { go(crowd) }
    try ask(0, MusicStop.name, "{}")
    try settle()
  }

  mutating func come(_ count: Int) throws -> Range<Int> {
    let first = clients.count
    for _ in 0..<count { try connect() }
    return first..<clients.count
  }

  mutating func go(_ crowd: Range<Int>) {
    for _ in crowd { leaveAgain(crowd.lowerBound) }
  }

  /// A sound that repeats, and goes on for so long when its client has gone.
  private mutating func loop(_ client: Int, gain: Double, keptUs: Int64, isModest: Bool) {
    var sent = SimulatedClient.Sent(id: takeID(), method: SoundPlay.name)
    sent.isModest = isModest
    let params = "\"sound\":\"game:click\",\"loop\":true,\"gain\":\(gain),\"keepAfterDisconnectUs\":\(keptUs)"
    clients[client].send(Array("{\"id\":\(sent.id),\"method\":\"\(sent.method)\",\"params\":{\(params)}}".utf8), sent)
  }

  private mutating func playTone(_ client: Int, keptUs: Int64) throws {
    let tone = RequestMaker.tones(1, lasting: 10, volume: 0)
    try ask(client, HapticsPlay.name, "{\"ahap\":\(tone),\"keepAfterDisconnectUs\":\(keptUs)}")
  }
}
