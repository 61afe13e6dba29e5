// SPDX-License-Identifier: Apache-2.0

import Wire

/// Letting the daemon answer, and hearing what it says.
extension Simulation {
  /// Lets the daemon do all that it can until every request is answered, and checks what came.
  mutating func settle() throws {
    // Asked last and by the one who hears everything: what was set off before is told before the reply.
    for client in clients.indices { try ask(client, "settings.get", "{}") }
    var idle = 0
    while clients.contains(where: { !$0.isSettled }) {
      var moved = false
      for client in clients where client.flush() { moved = true }
      _ = server.turn(waiting: false)
      var answered: [Int: [SimulatedClient.Sent]] = [:]
      for client in clients where try take(client.receive(), client, &answered) { moved = true }
      try noteTurn(answered: answered)
      idle = moved ? 0 : idle + 1
      try ensure(idle < 50, "no reply to \(clients.compactMap { $0.expected.first })")
    }
    quiet = nil
    // A promise is known before what came of it is heard.
    for (client, told) in heard { try hear(told, client) }
    heard = []
    try ledger.checkOrphans(nowUs: checks.nowUs)
    // What is asked for now is told as time goes on; a pause of the engine is told as that alone.
    let (music, stands) = (host.status().music, ledger.time.stands(at: checks.nowUs))
    try ensure(
      music.pausedBy.contains(.engine) == stands,
      "at \(checks.nowUs) the music is paused by \(music.pausedBy), \(ledger.time.pauses)")
    if checks.nowUs > settledUs, !ledger.time.isPaused, !stands {
      try ledger.music.check(music, nowUs: checks.nowUs)
      try compareMusic(music)
    }
    settledUs = checks.nowUs
    try ensure(!clients.contains { $0.isClosed }, "the daemon closed a client that did nothing wrong")
  }

  /// Holds the music against the model, or where that knows no more and the music is silent begins anew with it.
  private mutating func compareMusic(_ music: MusicStatus.Result) throws {
    let (timeline, nowUs) = (host.engine.turn.timeline, ledger.time.now(checks.nowUs))
    try ledger.account.check(music, timeline, ledger.time, nowUs: nowUs)
    guard music.state == .stopped, music.fading.isEmpty, music.plannedCount == 0,
      music.pausedBy.isEmpty, host.engine.currentSettings.music, !host.status().rhythm.running
    else { return }
    ledger.account.rest(nowUs: nowUs)
  }

  /// Checks replies, and keeps notifications for later; whether there were any lines.
  private mutating func take(
    _ lines: [[UInt8]], _ client: SimulatedClient, _ answered: inout [Int: [SimulatedClient.Sent]]
  ) throws -> Bool {
    for line in lines {
      trace?("\(client.name) < \(String(decoding: line, as: UTF8.self))")
      guard let message = ServerMessage(line: line) else {
        throw SimulationFailure("not a message: \(String(decoding: line, as: UTF8.self))")
      }
      switch message {
      case .reply(let id, let result):
        let sent = try client.answered(id: id)
        answered[client.name, default: []].append(sent)
        let namesFolder = String(decoding: line, as: UTF8.self).contains(pack.folder)
        if !Self.tellsOfThisMachine.contains(sent.method), !namesFolder { note(line) }
        try checks.take(result, to: sent, of: client, &ledger)
      case .notification(let method, let seq, let tUs, let params):
        note(line)
        try checks.names.check(params, in: method)
        heard.append((client, Notification(method: method, seq: seq, tUs: tUs, params: params)))
      }
    }
    return !lines.isEmpty
  }

  private mutating func hear(_ told: Notification, _ client: SimulatedClient) throws {
    try client.count(seq: told.seq, isBehind: heard.count > 200)
    guard client.name == listener else { return }
    toldCount += 1
    try ledger.hear(method: told.method, tUs: told.tUs, params: told.params, nowUs: checks.nowUs)
  }

  /// Methods whose replies hold what is another on every machine and run.
  private static let tellsOfThisMachine: Set = [
    "engine.status", "engine.stats", "events.subscribe", "session.hello", "pack.list", "garbled", "devices.set",
    "devices.list",
  ]

  /// FNV-1a, of all but the name of the pack's folder, which is another in every run.
  private mutating func note(_ line: [UInt8]) {
    let told = String(decoding: line, as: UTF8.self).replacing(pack.folder, with: "")
    for byte in told.utf8 { fingerprint = (fingerprint ^ UInt64(byte)) &* 1_099_511_628_211 }
  }
}
