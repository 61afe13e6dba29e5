// SPDX-License-Identifier: Apache-2.0

import SeededNumbers

/// Switches that go off and on with plans across them, and cues that are stopped at their steps' own instants.
extension Simulation {
  /// Plans effects around two flips of a switch, by turns of both.
  mutating func flip(_ client: Int) throws {
    if random.oneIn(5) { return try flipOnAndOn(client) }
    let picked = random.pick(["sound", "haptics"])
    let keys = nextID % 2 == 0 ? [picked] : ["sound", "haptics"]
    func settings(_ isOn: Bool) -> String { "{" + keys.map { "\"\($0)\":\(isOn)" }.joined(separator: ",") + "}" }
    let far: Int64 = random.oneIn(2) ? 150_000 : 1_500_000
    try planEffects(client, within: far)
    try ask(client, "settings.set", settings(false))
    if random.oneIn(2) { try planEffects(client, within: far) }
    try settle()
    if !random.oneIn(4) {
      try step(random.integer(1...far))
      try settle()
    }
    if random.oneIn(2) { try planEffects(client, within: far) }
    try ask(client, "settings.set", settings(true))
    try settle()
    try step(random.integer(1...far))
    try settle()
  }

  /// Turns the switch of sound on and on before the mixer goes on, with many sounds planned that it has been told of.
  private mutating func flipOnAndOn(_ client: Int) throws {
    try ask(client, "settings.set", "{\"sound\":true,\"soundVolume\":0}")
    for index in 0..<40 as Range<Int64> {
      let id = takeID()
      let at = checks.nowUs + 40_000 + index * 1_000
      var sent = SimulatedClient.Sent(id: id, method: "sound.play", atUs: at)
      sent.endsByItself = true
      let line = "{\"id\":\(id),\"method\":\"sound.play\",\"params\":{\"sound\":\"click\",\"atUs\":\(at)}}"
      clients[client].send(Array(line.utf8), sent)
    }
    try settle()
    for _ in 0..<20 {
      try ask(client, "settings.set", "{\"sound\":false}")
      try ask(client, "settings.set", "{\"sound\":true}")
    }
    try settle()
    try step(random.integer(1...100_000))
    try settle()
  }

  private mutating func planEffects(_ client: Int, within far: Int64) throws {
    for _ in 0..<(1 + random.next(below: 3)) {
      let at = checks.nowUs + random.integer(0...far)
      let id = takeID()
      let (method, params) = random.pick([
        ("sound.play", "\"sound\":\"click\""), ("sound.play", "\"sound\":\"word\",\"loop\":true"),
        ("haptics.play", "\"pattern\":\"hum\""), ("haptics.play", "\"pattern\":\"swell\",\"loop\":true"),
        ("cue.fire", "\"cue\":\"press\""), ("cue.fire", "\"cue\":\"burst\""),
      ])
      // By turns also as soon as can be.
      let isNow = id % 4 == 0
      var sent = SimulatedClient.Sent(id: id, method: method, atUs: isNow ? nil : at)
      sent.endsByItself = params.contains("click")
      let when = isNow ? "" : ",\"atUs\":\(at)"
      let line = "{\"id\":\(id),\"method\":\"\(method)\",\"params\":{\(params)\(when)}}"
      clients[client].send(Array(line.utf8), sent)
    }
  }

  /// Stops a cue at the very instant of one of its steps, or beside it.
  mutating func stopAtStep(_ client: Int) throws {
    let zero = checks.nowUs + random.integer(100_000...300_000)
    let id = takeID()
    let line = "{\"id\":\(id),\"method\":\"cue.fire\",\"params\":{\"cue\":\"press\",\"atUs\":\(zero)}}"
    clients[client].send(Array(line.utf8), SimulatedClient.Sent(id: id, method: "cue.fire", atUs: zero))
    try settle()
    guard let cue = ledger.cues.recent.last, ledger.cues.zero(of: cue).map(ledger.time.clock) == zero else { return }
    let instant = zero + random.pick([0, 700_000]) + random.pick([0, 0, -1, 1])
    try step(instant - checks.nowUs)
    try settle()
    var sent = SimulatedClient.Sent(id: takeID(), method: "cue.stop")
    sent.stoppedCue = cue
    clients[client].send(Array("{\"id\":\(sent.id),\"method\":\"cue.stop\",\"params\":{\"id\":\(cue)}}".utf8), sent)
    try settle()
  }
}
