// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// Clients ask for one thing as often as they can, within a second or for an hour ahead: another that has just come is
/// refused none of the few that it asks for, though all of them are the same user's.
extension Simulation {
  mutating func beGreedy() throws {
    guard clients.count > 2, !ledger.time.isPaused else { return }
    switch greed.next(below: 6) {
    case 0: try floodWithStops()
    case 1: try planFarChanges()
    case 2: try floodWithGains()
    case 3: try callOffByTheHundred()
    case 4: try hogTogether()
    default: try planFarPlayers()
    }
  }

  /// As many steps may a client plan, with those of its own.
  private static let mostPlans = 1_024 + 64

  /// More stops within a second than one client may have steps of plans.
  private mutating func floodWithStops() throws {
    let method = greed.pick([SoundStop.name, HapticsStop.name])
    let far = checks.nowUs + 350_000
    // One of them leaves room for plans, two take all of it.
    let floods = greed.next(below: 2) + 1
    for client in 1...floods {
      let before = checks.granted(method)
      for number in 0..<1_200 as Range<Int64> { demand(client, method, "", at: far + 500 * number) }
      try settle()
      let granted = checks.granted(method) - before
      try ensure(granted <= Self.mostPlans, "\(granted) stops within a second were granted to one client")
    }
    try connect()
    let other = clients.count - 1
    let (at, click) = (checks.nowUs + 150_000, "\"sound\":\"game:click\",\"gain\":0.001,")
    demand(other, method, "", at: at, isOwed: true)
    demand(other, SoundStop.name, "", at: at, isOwed: true)
    demand(other, SoundPlay.name, click, at: checks.nowUs + 20_000, isOwed: true)
    demand(other, SoundPlay.name, click, at: checks.nowUs + 2_500_000, isOwed: true)
    try settle()
    try step(1_000_000)
    try settle()
    leaveAgain(other)
  }

  /// A crowd changes the gain of the music, each change before the last, until none of them is granted another.
  private mutating func floodWithGains() throws {
    let before = clients.count
    let crowd = 2 + greed.next(below: 8)
    for _ in 0...crowd { try connect() }
    let other = clients.count - 1
    try ask(0, MusicPlay.name, "{\"track\":\"main\"}")
    try settle()
    try step(200_000)
    try settle()
    for _ in 0..<3 {
      let at = checks.nowUs + greed.integer(60_000...95_000)
      for client in before..<other {
        for number in 0..<64 as Range<Int64> {
          demand(client, MusicGain.name, "\"gain\":0.5,", at: at - 50 - 200 * number)
        }
        try settle()
      }
      demand(other, MusicGain.name, "\"gain\":0.5", isNeverBusy: true)
      try askForLittle(other)
      try step(greed.integer(2_000...20_000))
      try settle()
    }
    for _ in before...other { leaveAgain(before) }
  }

  /// What one line calls off is told a few at a time.
  private mutating func callOffByTheHundred() throws {
    for number in 0..<300 as Range<Int64> {
      let at = checks.nowUs + 9_000_000 + 2_000 * number
      demand(1, SoundPlay.name, "\"sound\":\"game:click\",\"gain\":0.001,", at: at)
    }
    try settle()
    try step(100_000)
    try settle()
    let before = ledger.calledOff
    try ask(1, SoundStop.name, "{}")
    try settle()
    let told = ledger.calledOff - before
    try ensure(told <= Self.mostToldAtOnce, "\(told) sounds that never begin were told at once")
    try step(500_000)
    try settle()
  }

  /// After a while in which nothing was called off.
  private static let mostToldAtOnce = 64

  /// So many that a line of each is nearly all that a turn may cost.
  private static let hogs = 12

  /// Some ask for what is dear, one line after another, while another asks for many cheap things: those cost the less, and come first.
  private mutating func hogTogether() throws {
    let before = clients.count
    for _ in 0...Self.hogs { try connect() }
    try settle()
    let other = clients.count - 1
    let blanks = String(repeating: " ", count: 12_000)
    for _ in 0..<8 {
      for hog in before..<other { demand(hog, SettingsGet.name, blanks) }
    }
    for _ in 0..<40 { demand(other, SettingsGet.name, "") }
    quiet = Quiet(client: clients[other], isAnsweredInFull: true)
    try settle()
    for _ in before...other { leaveAgain(before) }
  }

  /// More changes of players than may wait.
  private mutating func planFarChanges() throws {
    var players: [Int64] = []
    for client in [1, 2] {
      guard let player = try play(client, lasting: 30_000_000) else { return try stopPlayers(players) }
      players.append(player)
      for _ in 0..<600 {
        demand(
          client, HapticsSendParameters.name, "\"player\":\(player),\"intensity\":0.5,", at: checks.nowUs + Self.farUs)
      }
      try settle()
    }
    try connect()
    let other = clients.count - 1
    if let player = try play(other, lasting: 1_000_000) {
      players.append(player)
      for number in 1...8 as ClosedRange<Int64> {
        demand(
          other, HapticsSendParameters.name, "\"player\":\(player),\"intensity\":0.5,",
          at: checks.nowUs + number * 10_000, isOwed: true)
      }
      demand(other, HapticsGain.name, "\"gain\":0.5", isOwed: true)
      try settle()
    }
    try stopPlayers(players)
    leaveAgain(other)
  }

  /// More players than may wait.
  private mutating func planFarPlayers() throws {
    for client in [1, 2] {
      for _ in 0..<20 {
        demand(
          client, HapticsContinuous.name, "\"durationUs\":1000000,\"intensity\":0.1,", at: checks.nowUs + Self.farUs)
      }
    }
    try settle()
    try connect()
    let other = clients.count - 1
    for _ in 0..<2 {
      demand(other, HapticsContinuous.name, "\"durationUs\":100000,\"intensity\":0.1", isOwed: true)
    }
    try settle()
    try endPlayers()
    leaveAgain(other)
  }

  /// As far ahead as may be asked for, but for what time passes until it is.
  private static let farUs: Int64 = 3_590_000_000

  /// A weak touch; its player, where it was granted and haptics are on.
  mutating func play(_ client: Int, lasting lengthUs: Int64) throws -> Int64? {
    let last = ledger.recentPlayers.last
    demand(client, HapticsContinuous.name, "\"durationUs\":\(lengthUs),\"intensity\":0.1")
    try settle()
    return ledger.recentPlayers.last == last ? nil : ledger.recentPlayers.last
  }

  mutating func stopPlayers(_ players: [Int64]) throws {
    for player in players { try ask(0, HapticsStop.name, "{\"player\":\(player)}") }
    try settle()
  }

  mutating func leaveAgain(_ client: Int) {
    ledger.lose(clients.remove(at: client).name, nowUs: checks.nowUs)
    for _ in 0..<6 { _ = server.turn(waiting: false) }
  }

  /// Asks for something at an instant; `isOwed` where it has to be granted, `isNeverBusy` where what others ask must not refuse it.
  mutating func demand(
    _ client: Int, _ method: String, _ params: String, at us: Int64? = nil, isOwed: Bool = false,
    isNeverBusy: Bool = false
  ) {
    var sent = SimulatedClient.Sent(id: takeID(), method: method)
    (sent.atUs, sent.isOwed, sent.isNeverBusy) = (us, isOwed, isNeverBusy)
    let at = us.map { "\"atUs\":\($0)" } ?? ""
    let line = "{\"id\":\(sent.id),\"method\":\"\(method)\",\"params\":{\(params)\(at)}}"
    clients[client].send(Array(line.utf8), sent)
  }
}
