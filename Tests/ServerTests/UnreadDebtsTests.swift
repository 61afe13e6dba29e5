// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing
import Wire

@testable import Server

/// What waits for others, who do not read as fast as they are told, makes those rest who have them told.
@Suite struct UnreadDebtsTests {
  private let now = Instant(microseconds: 5_000_000)

  private func peer(_ process: Int32) -> Peer { Peer(user: 1_000, process: process) }

  @Test func whoOwesMoreThanIsFreeRestsUntilItIsPaid() {
    var debts = UnreadDebts()
    debts.note(128_000, by: peer(1), at: now)
    #expect(debts.rest(of: peer(1), at: now) == nil)
    debts.note(125_000, by: peer(1), at: now)
    #expect(debts.rest(of: peer(1), at: now) == .milliseconds(125))
    #expect(debts.rest(of: peer(1), at: now + .milliseconds(100)) == .milliseconds(25))
    #expect(debts.rest(of: peer(1), at: now + .milliseconds(125)) == nil)
    #expect(debts.rest(of: peer(2), at: now) == nil)
    debts.note(1 << 30, by: peer(1), at: now + .milliseconds(125))
    #expect(debts.rest(of: peer(1), at: now + .milliseconds(125)) == .milliseconds(250))
  }

  @Test func allThatOweTogetherHaveOneRate() {
    var debts = UnreadDebts()
    for process: Int32 in 1...4 { debts.note(32_000 + 50_000, by: peer(process), at: now) }
    // Each pays a quarter of a MB a second.
    for process: Int32 in 1...4 { #expect(debts.rest(of: peer(process), at: now) == .milliseconds(200)) }
    #expect(debts.rest(of: peer(1), at: now + .milliseconds(80)) == .milliseconds(120))
  }

  /// Some have told all they can; a game has 9 KB a second told, thirty of it now and then at once.
  @Test(arguments: [1, 8, 64, 200] as [Int32])
  func whoHasLittleToldNeverRestsHoweverManyOweMuch(loud: Int32) {
    var debts = UnreadDebts()
    for frame in 0..<600 {
      let at = now + .milliseconds(Int64(frame) * 16)
      for process in 2..<(2 + loud) { debts.note(100_000, by: peer(process), at: at) }
      debts.note(frame % 60 == 0 ? 30 * 150 : 150, by: peer(1), at: at)
      #expect(debts.rest(of: peer(1), at: at) == nil)
    }
  }

  @Test func noMoreThanTheLongestRestIsEverOwed() {
    var debts = UnreadDebts()
    for second in 0..<10 { debts.note(3_000_000, by: peer(1), at: now + .milliseconds(Int64(second) * 1_000)) }
    let end = now + .milliseconds(9_000)
    #expect(debts.rest(of: peer(1), at: end) == .milliseconds(250))
    #expect(debts.rest(of: peer(1), at: end + .milliseconds(250)) == nil)
  }

  @Test func whatIsPaidBetweenTwoNotesIsTheSameHoweverOftenItIsAsked() {
    var (seldom, often) = (UnreadDebts(), UnreadDebts())
    seldom.note(300_000, by: peer(1), at: now)
    often.note(300_000, by: peer(1), at: now)
    for step in 1..<Int64(10_000) { _ = often.rest(of: peer(1), at: now + Interval(nanoseconds: step * 9_999)) }
    let end = now + .milliseconds(100)
    let (one, other) = (seldom.rest(of: peer(1), at: end), often.rest(of: peer(1), at: end))
    #expect(one == .milliseconds(72) && other == one)
  }

  /// Of one who reads seldom, beside one who has all told that it can: what waits is a quarter of a MiB or so.
  @Test func whatWaitsForOthersKeepsTheLinesBackThatHaveThemToldMore() throws {
    // The reader takes nothing meanwhile, however long that is.
    let rig = try Rig(clock: .live) { $0.limits.readWithinUs = 3_600_000_000 }
    let reader = try rig.connect()
    _ = rig.exchange(reader, #"{"id":1,"method":"events.subscribe","params":{"topics":["cue"]}}"# + "\n")
    let loud = try rig.connect()
    let host = rig.host
    var told: Int64 = 0
    host.onTap = { [unowned host] in
      host.pendingCause = host.taps.last?.cause
      host.pending += (0..<64).map { OutgoingNotification(CueFired(id: told + $0, cue: "x", skipped: []), tUs: 0) }
      told += 64
    }
    // What others are told waits once their socket is full, and then no line is served that has them told more. Soon: who takes
    // nothing for a second is not waited for.
    let lines = String(repeating: #"{"id":1,"method":"rhythm.stop"}"# + "\n", count: 100)
    var served: [Int] = []
    for _ in 0..<4 {
      loud.send(lines)
      rig.settle()
      _ = loud.lines()
      served.append(host.taps.count)
    }
    let waits = try #require(rig.server.connections[ClientID(rawValue: 1)]?.channel.standing)
    #expect(waits.condition == .open && waits.queuedBytes < 700_000)
    #expect(try #require(served.last) < 400)
    // Once it reads, the rest of the lines is served.
    let end = rig.host.now + .seconds(60)
    while host.taps.count < 400, rig.host.now < end {
      rig.settle(rounds: 1)
      _ = (reader.lines(), loud.lines())
    }
    #expect(host.taps.count == 400 && reader.isClosed == false)
  }
}
