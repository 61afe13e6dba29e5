// SPDX-License-Identifier: Apache-2.0

import Host
import Timing

/// Control that is not let run in the middle of its work: the mixer has gone on by the time that it is told.
extension Simulation {
  /// What begins soon is called off, or let come again, too late for the mixer.
  mutating func handOverLate(_ client: Int) throws {
    guard client > 0, ledger.chapter == nil, !ledger.time.isPaused else { return }
    for _ in 0..<(1 + random.next(below: 3)) {
      let id = takeID()
      let at = checks.nowUs + random.integer(12_000...60_000)
      let loops = random.oneIn(2)
      let sent = SimulatedClient.Sent(id: id, method: "sound.play", atUs: at)
      let params = "{\"sound\":\"word\",\"loop\":\(loops),\"atUs\":\(at)}"
      clients[client].send(Array("{\"id\":\(id),\"method\":\"sound.play\",\"params\":\(params)}".utf8), sent)
    }
    try settle()
    let before = checks.nowUs
    host.handsOverLate = LateHandover(
      by: .microseconds(random.integer(5_000...60_000)), times: 1 + lateness.next(below: 4))
    switch random.next(below: 4) {
    case 0: ledger.lose(clients.remove(at: client).name, nowUs: checks.nowUs)
    case 1:
      let sent = SimulatedClient.Sent(id: takeID(), method: "sound.stop", servedUs: before)
      clients[client].send(Array("{\"id\":\(sent.id),\"method\":\"sound.stop\"}".utf8), sent)
    case 2: try ask(client, "settings.set", "{\"sound\":false}")
    default:
      try ask(client, "settings.set", "{\"sound\":false}")
      try ask(client, "settings.set", "{\"sound\":true}")
    }
    for client in clients { while client.flush() {} }
    for _ in 0..<8 { _ = server.turn(waiting: false) }
    host.handsOverLate = nil
    checks.nowUs = host.now.microseconds
    checks.hasStalled = true
    // What the mixer has gone on to is heard some milliseconds later.
    if checks.nowUs > before { ledger.note(before...checks.nowUs + 20_000) }
    try settle()
  }
  /// What is to begin as soon as it can is handed over when the mixer has passed that: it is told for when it begins.
  mutating func beginLate() throws {
    guard clients.count > 1, !ledger.time.isPaused else { return }
    let client = 1 + lateness.next(below: clients.count - 1)
    // What came late because control had stood still before this has begun by then.
    try step(40_000)
    try settle()
    let lateStarts = host.status().audio.lateStarts
    let before = checks.nowUs
    host.handsOverLate = LateHandover(by: .microseconds(lateness.integer(1_000...30_000)))
    let method = lateness.pick(["sound.play", "cue.fire", "music.play", "haptics.play"])
    var request = RequestMaker.make(method, world, &lateness)
    // Where all that it begins as soon as it can is felt, the mixer has passed nothing of it.
    if ["cue.fire", "haptics.play"].contains(method) { request.sent.servedUs = before }
    send(request, client)
    while clients[client].flush() {}
    for _ in 0..<8 { _ = server.turn(waiting: false) }
    host.handsOverLate = nil
    checks.nowUs = host.now.microseconds
    if checks.nowUs > before {
      checks.hasStoodStill = true
      ledger.note(before...checks.nowUs)
    }
    try settle()
    try step(40_000)
    try settle()
    let now = host.status().audio.lateStarts
    try ensure(now == lateStarts, "\(now - lateStarts) began later than told")
  }
}
