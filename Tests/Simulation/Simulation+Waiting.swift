// SPDX-License-Identifier: Apache-2.0

import Timing

/// One whose reply is waited for while another hogs the daemon, and for how many turns so far.
struct Quiet {
  let client: SimulatedClient
  /// Whether it is waited for all of its replies, not only for one.
  var isAnsweredInFull = false
  var turns = 0
}

/// Who waits for whom: one client's dear lines, and a daemon that stands still.
extension Simulation {
  /// Sees to it that a chapter is running.
  mutating func playChapter() throws {
    guard world.beats.isEmpty else { return }
    try ask(0, "rhythm.start", "{\"chapter\":\"\(random.pick(["open", "laned"]))\"}")
    try settle()
  }

  /// A chapter is held, goes on with a count-in, and is tapped to meanwhile.
  mutating func holdChapter() throws {
    try playChapter()
    try step(random.integer(1...1_500_000))
    try ask(0, "rhythm.pause", "{}")
    try settle()
    try step(random.integer(1...800_000))
    try ask(0, "rhythm.resume", "{\"countInBeats\":\(random.integer(0...4))}")
    try settle()
    for _ in 0..<8 {
      try step(random.integer(1...300_000))
      try settle()
      request(random.next(below: clients.count), "rhythm.tap")
      try settle()
    }
  }

  /// Runs begin anew faster than their songs fade out.
  mutating func restartInBurst() throws {
    try playChapter()
    for _ in 0..<random.integer(4...20) {
      try ask(0, "rhythm.restart", "{}")
      if random.oneIn(3) { try step(random.integer(0...4_000)) }
      try settle()
    }
    try step(random.integer(1...1_500_000))
  }

  /// One client asks what is dear, and much of it, while another asks one thing.
  mutating func hog(_ client: Int) {
    guard clients.count > 2 else { return }
    var other = client
    while other == client || other == 0 { other = random.next(below: clients.count) }
    // Some that are long, or more than are served in one turn, of all others: of one no more is served than replies of 64 KiB.
    // Less than a socket holds, for how much it takes beyond that is not the same each time.
    let areShort = random.oneIn(3)
    let hogs = areShort ? clients.indices.filter { $0 != other } : [client]
    for _ in 0..<(areShort ? 350 : 6 + random.next(below: 6)) {
      let blanks = String(repeating: " ", count: areShort ? 0 : 6_000 + random.next(below: 6_000))
      for hog in hogs {
        let id = takeID()
        let line = "{\"id\":\(id),\"method\":\"settings.get\",\"params\":{\(blanks)}}"
        clients[hog].send(Array(line.utf8), SimulatedClient.Sent(id: id, method: "settings.get"))
      }
    }
    let id = takeID()
    clients[other].send(
      Array("{\"id\":\(id),\"method\":\"rhythm.status\"}".utf8), SimulatedClient.Sent(id: id, method: "rhythm.status"))
    quiet = Quiet(client: clients[other])
  }

  /// A turn is over, in which replies to `answered` came.
  mutating func noteTurn(answered: [Int: [SimulatedClient.Sent]]) throws {
    guard let quiet else { return }
    let cost = answered.values.joined().reduce(0) { $0 + 10_000 + 20 * $1.bytes }
    try ensure(cost <= 5_000_000, "lines of \(cost) ns were served in one turn")
    let client = quiet.client
    if quiet.isAnsweredInFull ? client.isSettled : answered[client.name] != nil {
      self.quiet = nil
    } else if client.hasSentAll {
      try ensure(
        quiet.turns < 3, "client \(client.name) waited \(quiet.turns) turns for its reply while another was served")
      self.quiet?.turns += 1
    }
  }

  /// For a while nobody is listened to, while what plays goes on and clients tap.
  mutating func standStill() {
    let stall = checks.nowUs...checks.nowUs + random.integer(500_001...2_500_000)
    for client in clients.indices.dropFirst() where random.oneIn(2) {
      let beats = world.beats.filter(stall.contains)
      let at = beats.isEmpty ? random.integer(stall) : random.pick(beats)
      let lane = world.lanes.isEmpty ? "" : ",\"lane\":\"\(random.pick(world.lanes))\""
      let id = takeID()
      var sent = SimulatedClient.Sent(id: id, method: "rhythm.tap")
      sent.isOfStall = true
      let line = "{\"id\":\(id),\"method\":\"rhythm.tap\",\"params\":{\"atUs\":\(at)\(lane)}}"
      clients[client].send(Array(line.utf8), sent)
      while clients[client].flush() {}
    }
    host.standStill(until: Instant(microseconds: stall.upperBound))
    checks.nowUs = stall.upperBound
    checks.hasStalled = true
    ledger.note(stall)
    server.recover(from: Instant(microseconds: stall.lowerBound)...Instant(microseconds: stall.upperBound))
  }
}
