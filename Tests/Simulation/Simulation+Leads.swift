// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// A device that is heard later than it tells, or sooner, from one moment to the next: what a longer lead passes over is lost, and all
/// else happens at the instants that were told.
extension Simulation {
  /// How long the mixer may be ahead of what is heard, at the most.
  private static let longestLeadUs: Int64 = 700_000

  /// Plans what is to begin, end and change on both sides of what a lead passes over, and sets leads meanwhile.
  mutating func moveLeads() throws {
    guard clients.count > 1, !ledger.time.isPaused, !ledger.time.stands(at: checks.nowUs) else { return }
    let client = 1 + leads.next(below: clients.count - 1)
    for _ in 0...leads.next(below: 3) {
      for _ in 0...leads.next(below: 6) { planAhead(client) }
      try settle()
      try step(leads.integer(0...(leads.oneIn(2) ? 5_000 : 150_000)))
      try settle()
      let near = leads.integer(-90_000...100_000)
      try setLead(leads.pick([0, 5_000, near, leads.integer(100_000...Self.longestLeadUs)]))
      try step(leads.integer(1...300_000))
      try settle()
    }
    // Until what the mixer is ahead of has been heard.
    try setLead(0)
    try step(Self.longestLeadUs + 100_000)
    try settle()
  }

  private mutating func setLead(_ us: Int64) throws {
    // A run is judged by one lead.
    if host.engine.leadIsFrozen != nil { return }
    try ask(0, DevicesSet.name, "{\"device\":\"none\",\"deviceLeadUs\":\(us)}")
    try settle()
  }

  private mutating func planAhead(_ client: Int) {
    if leads.oneIn(3) {
      let method = leads.pick([
        SoundPlay.name, SoundStop.name, CueFire.name, MusicPlay.name, MusicGain.name, MusicPause.name, MusicResume.name,
        HapticsPlay.name, ParameterSet.name,
      ])
      return send(RequestMaker.make(method, world, &leads), client)
    }
    let at = checks.nowUs + leads.integer(0...(leads.oneIn(3) ? 120_000 : Self.longestLeadUs + 100_000))
    var sent = SimulatedClient.Sent(id: takeID(), method: SoundPlay.name, atUs: at)
    sent.endsByItself = true
    let params = "{\"sound\":\"game:\(leads.pick(["click", "word"]))\",\"gain\":0.05,\"atUs\":\(at)}"
    clients[client].send(Array("{\"id\":\(sent.id),\"method\":\"sound.play\",\"params\":\(params)}".utf8), sent)
  }
}
