// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing

@testable import Server

@Suite struct FairShareTests {
  private let ms = Interval.milliseconds(1)

  private func client(_ number: UInt64) -> ClientID { ClientID(rawValue: number) }

  /// Of one user; each client a process of its own, unless it is said which.
  private func peer(_ process: UInt64) -> Peer { Peer(user: 1_000, process: Int32(process)) }

  private func shares(_ count: UInt64) -> FairShare {
    var shares = FairShare()
    for number in 1...count { shares.add(client(number), of: peer(number)) }
    return shares
  }

  /// Who is served in one turn, each line costing what `cost` says; `waiting` lines are used up.
  private func turn(
    _ shares: inout FairShare, _ waiting: inout [UInt64: Int], cost: (UInt64) -> Interval
  ) -> [UInt64] {
    var served: [UInt64] = []
    shares.beginTurn()
    while let next = shares.next({ waiting[$0.rawValue] ?? 0 > 0 }) {
      served.append(next.rawValue)
      waiting[next.rawValue, default: 0] -= 1
      shares.charge(cost(next.rawValue), to: next)
      if served.count > 10_000 { break }
    }
    return served
  }

  @Test func whoHasCostTheLeastIsNextAndATurnIsBounded() {
    var shares = shares(3)
    var waiting: [UInt64: Int] = [1: 100, 2: 100, 3: 100]
    // The third's lines are twice as dear; 4 ms are a turn.
    let cost = { (client: UInt64) in Interval.microseconds(client == 3 ? 1_000 : 500) }
    #expect(turn(&shares, &waiting, cost: cost) == [1, 2, 3, 1, 2, 3])
    // The next goes on where it ended.
    #expect(turn(&shares, &waiting, cost: cost) == [1, 2, 1, 2, 3, 1, 2])
  }

  @Test func whatATurnDidBesidesIsOfTheTurnAndOwedByNobody() {
    var shares = shares(2)
    var served = [0, 0]
    shares.beginTurn()
    while let next = shares.next({ _ in true }) {
      served[Int(next.rawValue) - 1] += 1
      shares.charge(.microseconds(100), to: next, besides: next.rawValue == 1 ? .microseconds(300) : .zero)
    }
    // 0.5 ms for the two of them together.
    #expect(served == [8, 8])
  }

  @Test(arguments: [1, 46] as [UInt64])
  func whoAsksSeldomIsNextHoweverManyHaveLinesWithoutEnd(floods: UInt64) {
    var shares = shares(floods + 1)
    var waiting = Dictionary(uniqueKeysWithValues: (1...floods).map { ($0, 1_000_000) })
    for _ in 0..<50 { _ = turn(&shares, &waiting) { _ in .microseconds(30) } }
    for _ in 0..<20 {
      waiting[floods + 1] = 1
      let served = turn(&shares, &waiting) { _ in .microseconds(30) }
      #expect(served.first == floods + 1)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func aProcessHasOneShareHoweverManySocketsItOpens(asked: UInt64) {
    var shares = FairShare()
    for number: UInt64 in 1...40 { shares.add(client(number), of: peer(1)) }
    shares.add(client(41), of: peer(2))
    var waiting = Dictionary(uniqueKeysWithValues: (1...41).map { (UInt64($0), 1_000_000) })
    var served: [UInt64] = []
    // As many lines of the one process as of the other, and of its sockets each in its turn.
    for _ in 0..<20 { served += turn(&shares, &waiting) { _ in ms } }
    #expect(served.count == 80 && served.count { $0 == 41 } == 40)
    #expect(Set(served).count == 41)
    // It has not asked for a while: nothing is saved up.
    waiting[41] = 0
    for _ in 0..<20 { _ = turn(&shares, &waiting) { _ in ms } }
    waiting[41] = Int(asked)
    #expect(turn(&shares, &waiting) { _ in ms }.first == 41)
  }

  @Test func ofTwoUsersEachHasHalfHoweverManyProcessesOneStarts() {
    var shares = FairShare()
    for number: UInt64 in 1...40 { shares.add(client(number), of: peer(number)) }
    shares.add(client(41), of: Peer(user: 1_001, process: 41))
    var waiting = Dictionary(uniqueKeysWithValues: (1...41).map { (UInt64($0), 1_000_000) })
    var served: [UInt64] = []
    for _ in 0..<20 { served += turn(&shares, &waiting) { _ in ms } }
    #expect(served.count == 80 && served.count { $0 == 41 } == 40)
  }

  @Test func oneAloneIsServedAsLongAsATurnLasts() {
    var shares = shares(1)
    var waiting: [UInt64: Int] = [1: 100]
    #expect(turn(&shares, &waiting) { _ in ms }.count == 4)
    waiting = [1: 3]
    #expect(turn(&shares, &waiting) { _ in ms }.count == 3)
  }

  @Test func aDearLineIsADebtThatItsClientPaysWhileOthersAreServed() {
    var shares = shares(2)
    var waiting: [UInt64: Int] = [1: 2]
    // Nobody else waits: 10 ms go to the first, and the turn is over.
    #expect(turn(&shares, &waiting) { _ in .milliseconds(10) } == [1])
    waiting[2] = 100
    var served: [UInt64] = []
    for _ in 0..<3 { served += turn(&shares, &waiting) { _ in ms } }
    // Ten milliseconds are owed, and of equals the one that has waited longest is next.
    #expect(served == [UInt64](repeating: 2, count: 10) + [1] + [2])
  }

  @Test func debtHoldsUpNobodyWhereNobodyElseWaits() {
    var shares = shares(2)
    var waiting: [UInt64: Int] = [1: 3]
    for _ in 0..<3 { #expect(turn(&shares, &waiting) { _ in .milliseconds(24_000) } == [1]) }
    #expect(turn(&shares, &waiting) { _ in ms } == [])
  }

  @Test func whoHasNothingToAskSavesNothingUp() {
    var shares = shares(2)
    var waiting: [UInt64: Int] = [1: 1_000]
    for _ in 0..<100 { _ = turn(&shares, &waiting) { _ in ms } }
    waiting[2] = 1_000
    let served = turn(&shares, &waiting) { _ in ms }
    #expect(served.count == 4)
    #expect(served.count { $0 == 2 } == 2)
  }

  @Test(arguments: 1...64)
  func howeverManyAskEachHasItsShareOfEveryRound(count: UInt64) {
    var shares = shares(count)
    var waiting = Dictionary(uniqueKeysWithValues: (1...count).map { ($0, 1_000_000) })
    var cost: [UInt64: Int64] = [:]
    // Every client's lines are as dear as its number, in tenths of a millisecond.
    for _ in 0..<500 {
      let served = turn(&shares, &waiting) { .microseconds(100 * Int64($0)) }
      for client in served { cost[client, default: 0] += 100 * Int64(client) }
    }
    // None is further from another than the dearest line of both.
    let all = (1...count).map { cost[$0] ?? 0 }
    #expect((all.max() ?? 0) - (all.min() ?? 0) <= 2 * 100 * Int64(count))
  }

  @Test func whoComesIsServedAfterThoseWhoWaitAndWhoGoesLeavesTheRestInOrder() {
    var shares = shares(3)
    var waiting: [UInt64: Int] = [1: 9, 2: 9, 3: 9]
    #expect(turn(&shares, &waiting) { _ in .milliseconds(4) } == [1])
    shares.add(client(4), of: peer(4))
    waiting[4] = 9
    shares.remove(client(1))
    waiting[1] = nil
    #expect(turn(&shares, &waiting) { _ in ms } == [2, 3, 4, 2])
    for number in [2, 3, 4] as [UInt64] { shares.remove(client(number)) }
    #expect(turn(&shares, &waiting) { _ in ms } == [])
    shares.add(client(5), of: peer(5))
    #expect(turn(&shares, &waiting) { _ in ms } == [])
    waiting[5] = 1
    #expect(turn(&shares, &waiting) { _ in ms } == [5])
  }

  @Test func whoGoesWhileItIsServedIsChargedAllTheSame() {
    var shares = FairShare()
    for number: UInt64 in 1...2 { shares.add(client(number), of: peer(1)) }
    shares.add(client(3), of: peer(2))
    var waiting: [UInt64: Int] = [1: 1]
    shares.beginTurn()
    #expect(shares.next { waiting[$0.rawValue] ?? 0 > 0 } == client(1))
    shares.remove(client(1))
    waiting = [2: 9, 3: 9]
    shares.charge(.milliseconds(3), to: client(1))
    #expect(!shares.has(client(1)))
    // Its process pays for it.
    shares.beginTurn(.milliseconds(5))
    var served: [UInt64] = []
    while let next = shares.next({ waiting[$0.rawValue] ?? 0 > 0 }) {
      served.append(next.rawValue)
      shares.charge(ms, to: next)
    }
    #expect(served == [3, 3, 3, 2, 3])
  }

  /// However often it comes and goes.
  @Test func aProcessPaysForItsComingAndGoing() {
    var shares = shares(2)
    var waiting: [UInt64: Int] = [1: 100, 2: 100]
    shares.chargePassing(ms + ms, to: peer(1))
    #expect(turn(&shares, &waiting) { _ in ms } == [2, 2, 1, 2])
  }

  /// Also where it had no client in between: it connects and closes, one at a time.
  @Test func aProcessOwesForAClientThatHasGoneWhenTheNextComes() {
    var shares = shares(1)
    shares.add(client(2), of: peer(2))
    shares.remove(client(2))
    shares.chargePassing(.milliseconds(3), to: peer(2))
    shares.add(client(3), of: peer(2))
    var waiting: [UInt64: Int] = [1: 100, 3: 100]
    #expect(turn(&shares, &waiting) { _ in ms } == [1, 1, 1, 3])
  }

  /// However much the engine did and told.
  @Test func aQuarterOfATurnIsForLines() {
    var shares = shares(1)
    for spent in [3, 4, 100] as [Int64] {
      shares.beginTurn(spent: .milliseconds(spent))
      for _ in 0..<2 {
        #expect(shares.next { _ in true } == client(1))
        shares.charge(.microseconds(500), to: client(1))
      }
      #expect(shares.next { _ in true } == nil)
    }
  }
}
