// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// What lies at the rim of what can be asked for: the first instant that can be reached, the last that may be planned, numbers
/// and members that only look like what is meant, and more changes than are told one by one.
extension Simulation {
  private static let hourUs: Int64 = 3_600_000_000

  mutating func askAtTheRim() throws {
    // While the engine stands an hour of its time ends later than one of the clock.
    guard !ledger.time.isPaused, !ledger.time.stands(at: checks.nowUs) else { return }
    let client = rims.next(below: clients.count)
    switch rims.next(below: 5) {
    case 0: try askAgainForWhatWasTold(client)
    case 1: try askFarAhead(client)
    case 2: try fireFarAhead(client)
    case 3: try askInOddWords(client)
    default: try playDensely(client)
    }
  }

  /// What was told as the earliest instant can be reached by who asks for it, in whole microseconds.
  private mutating func askAgainForWhatWasTold(_ client: Int) throws {
    let (method, params) = rims.pick([
      (SoundPlay.name, "\"sound\":\"game:click\",\"gain\":0.001"), (HapticsTransient.name, "\"intensity\":0.1"),
      (HapticsStop.name, ""), (MusicGain.name, "\"gain\":1"),
    ])
    checks.scheduledUs = nil
    try ask(client, method, "{\(params)}")
    try settle()
    guard let told = checks.scheduledUs else { return }
    // No time has passed since. In one that stands at times they would not be the same.
    if method == SoundPlay.name, ledger.time.pauses.isEmpty {
      let first = host.engine.turn.earliestSound
      try ensure(told * 1_000 >= first.nanoseconds, "\(told) us is told as the earliest, of \(first.nanoseconds) ns")
    }
    demandAtTheRim(client, method, params, at: ledger.time.clock(told)) { $0.isReachable = true }
    try settle()
  }

  /// An hour ahead may be planned, and no more, up to days.
  private mutating func askFarAhead(_ client: Int) throws {
    for _ in 0..<3 {
      let (method, params) = rims.pick([
        (SoundPlay.name, "\"sound\":\"game:click\""), (SoundStop.name, ""), (MusicPlay.name, "\"track\":\"game:main\""),
        (MusicStop.name, ""), (MusicGain.name, "\"gain\":1"), (HapticsPlay.name, "\"pattern\":\"game:thud\""),
        (HapticsTransient.name, ""), (HapticsContinuous.name, "\"durationUs\":1000"), (HapticsStop.name, ""),
        (CueFire.name, "\"cue\":\"game:hit\""), (ParameterSet.name, "\"parameter\":\"game:low\",\"value\":1"),
        (RhythmStart.name, "\"chapter\":\"game:open\""),
      ])
      let beyond = rims.pick([1, rims.integer(1...1_000_000), rims.integer(1...200_000_000_000)])
      demandAtTheRim(client, method, params, at: checks.nowUs + Self.hourUs + beyond) { $0.isRefused = true }
    }
    let last = ledger.recentSounds.last
    demandAtTheRim(client, SoundPlay.name, "\"sound\":\"game:click\"", at: checks.nowUs + Self.hourUs) {
      $0.isInBounds = true
    }
    try settle()
    guard let sound = ledger.recentSounds.last, sound != last else { return }
    var stop = SimulatedClient.Sent(id: takeID(), method: SoundStop.name)
    stop.stoppedSound = sound
    clients[client].send(Array("{\"id\":\(stop.id),\"method\":\"sound.stop\",\"params\":{\"id\":\(sound)}}".utf8), stop)
    try settle()
  }

  /// Of a cue each step lies within the hour or is skipped, also where the cue itself comes soon.
  private mutating func fireFarAhead(_ client: Int) throws {
    let last = ledger.cues.recent.last
    let ahead = rims.pick([nil, rims.integer(40_000...800_000), rims.integer(1_200_000...2_000_000)])
    demandAtTheRim(client, CueFire.name, "\"cue\":\"game:far\"", at: ahead.map { checks.nowUs + $0 }) {
      $0.named = "game:far"
      $0.stepsBeyond = ahead ?? 0 > 1_000_000 ? 3 : 2
    }
    try settle()
    guard let cue = ledger.cues.recent.last, cue != last else { return }
    var stop = SimulatedClient.Sent(id: takeID(), method: CueStop.name)
    stop.stoppedCue = cue
    clients[client].send(Array("{\"id\":\(stop.id),\"method\":\"cue.stop\",\"params\":{\"id\":\(cue)}}".utf8), stop)
    try settle()
  }

  /// Numbers that are no whole ones, and points with members that no point has, lacks or has twice.
  private mutating func askInOddWords(_ client: Int) throws {
    let number = rims.pick(["1e-400", "0.5", "1e19", "-1e-3", "1e400"])
    var sent = SimulatedClient.Sent(id: takeID(), method: HapticsTransient.name)
    sent.isRefused = true
    clients[client].send(
      Array("{\"id\":\(sent.id),\"method\":\"haptics.transient\",\"params\":{\"atUs\":\(number)}}".utf8), sent)
    guard let player = try play(client, lasting: 2_000_000) else { return }
    var points = (0..<rims.next(below: 4)).map { "{\"timeUs\":\(1_000 * $0),\"value\":0.5}" }
    let odd = rims.pick([
      "{\"timeUs\":9000,\"value\":1,\"valve\":1}", "{\"timeUs\":9000,\"value\":1,\"value\":1}", "{\"timeUs\":9000}",
      "{\"timeUs\":\(number),\"value\":1}", "[9000,1]",
    ])
    points.append(odd)
    demandAtTheRim(
      client, HapticsScheduleCurve.name,
      "\"player\":\(player),\"control\":\"intensity\",\"points\":[\(points.joined(separator: ","))]"
    ) { $0.isRefused = true }
    try settle()
    try stopPlayers([player])
  }

  /// A pattern of 38,000 changes a second, over and over: of what is felt a thousand a second are told.
  private mutating func playDensely(_ client: Int) throws {
    let last = ledger.recentPlayers.last
    demandAtTheRim(client, HapticsPlay.name, "\"ahap\":\(RequestMaker.denseTaps),\"loop\":true") {
      $0.isInBounds = true
    }
    try settle()
    guard let player = ledger.recentPlayers.last, player != last else { return }
    try step(rims.integer(500_000...1_500_000))
    try settle()
    try stopPlayers([player])
  }

  private mutating func demandAtTheRim(
    _ client: Int, _ method: String, _ params: String, at: Int64? = nil,
    _ expecting: (inout SimulatedClient.Sent) -> Void
  ) {
    var sent = SimulatedClient.Sent(id: takeID(), method: method, atUs: at)
    expecting(&sent)
    let fields = [params] + (at.map { ["\"atUs\":\($0)"] } ?? [])
    let all = fields.filter { !$0.isEmpty }.joined(separator: ",")
    clients[client].send(Array("{\"id\":\(sent.id),\"method\":\"\(method)\",\"params\":{\(all)}}".utf8), sent)
  }
}
