// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Engine

@Suite struct SharesTests {
  @Test func whatIsGivenBackOfManyAtOnceIsWhatEachWouldGive() throws {
    let causes = ([(1, 10), (2, 10), (3, 20)] as [(UInt64, UInt32)]).map { client, user in
      Cause(client: ClientID(rawValue: client), user: user, line: 1)
    }
    var (atOnce, oneByOne) = (Shares(), Shares())
    for cause in causes + [.daemon] {
      #expect(try atOnce.take(5, for: cause) == cause)
      #expect(try oneByOne.take(5, for: cause) == cause)
    }
    let given = [0, 1, 0, 2, 1, 0, 0, 0].map { causes[$0] } + [.daemon]
    atOnce.giveOne(forEach: given)
    for cause in given { oneByOne.give(1, for: cause) }
    for client in (causes + [.daemon]).map(\.client) {
      #expect(atOnce.count(of: client) == oneByOne.count(of: client))
    }
    #expect(atOnce.count == oneByOne.count && atOnce.count == 11)
  }
  private func cause(_ client: UInt64, of user: UInt32) -> Cause {
    Cause(client: ClientID(rawValue: client), user: user)
  }

  @Test func whatIsUrgentFindsRoomOfItsOwn() throws {
    var shares = Shares()
    for client in [1, 2] as [UInt64] { _ = try shares.take(1_024, for: cause(client, of: 10)) }
    let third = cause(3, of: 10)
    var payers: [Cause] = []
    // What is later of who has next to nothing, too.
    for _ in 0..<8 { payers.append(try shares.take(1, for: third)) }
    #expect(throws: VerbRefusal.self) { try shares.take(1, for: third) }
    for _ in 0..<56 { payers.append(try shares.take(1, for: third, isUrgent: true)) }
    #expect(throws: VerbRefusal.self) { try shares.take(1, for: third, isUrgent: true) }
    // Nobody else has less for it.
    _ = try shares.take(64, for: cause(1, of: 10), isUrgent: true)
    _ = try shares.take(1_024, for: cause(4, of: 20))
    #expect(shares.count == 2_048 + 64 + 64 + 1_024)
    shares.giveOne(forEach: payers)
    #expect(shares.count(of: third.client) == 0)
    _ = try shares.take(64, for: third, isUrgent: true)
  }

  @Test func whoComesAndGoesTakesNothingFromWhoStays() throws {
    var shares = Shares()
    for client in [1, 2] as [UInt64] { _ = try shares.take(1_024, for: cause(client, of: 10)) }
    let taken = (4...1_000 as ClosedRange<UInt64>).count { client in
      (try? shares.take(64, for: cause(client, of: 10), isUrgent: true)) != nil
    }
    #expect(taken == 48)
    _ = try shares.take(64, for: cause(3, of: 10), isUrgent: true)
  }

  /// What the daemon plans, such as the steps of chapters, finds its own room however much clients have planned.
  @Test(arguments: [true, false]) func theDaemonHasItsReserveBesideAllThatClientsCanPlan(isFirst: Bool) throws {
    var shares = Shares()
    if isFirst { _ = try shares.take(1_024, for: .daemon) }
    for client in 1...8 as ClosedRange<UInt64> {
      _ = try shares.take(1_024, for: cause(client, of: UInt32(client + 1) / 2))
    }
    let refused = #expect(throws: VerbRefusal.self) { try shares.take(9, for: cause(9, of: 5)) }
    #expect(refused?.reason.text == "8192 steps are the most that are planned by all clients, and this would be more")
    if !isFirst { for _ in 0..<1_024 { #expect(try shares.take(1, for: .daemon) == .daemon) } }
    let beyond = #expect(throws: VerbRefusal.self) { try shares.take(1, for: .daemon) }
    #expect(beyond?.kind == .busy)
    #expect(
      beyond?.reason.text == "1024 steps are the most that are planned of the daemon's own, and this would be more")
    #expect(shares.count == 8_192 + 1_024)
    shares.give(1, for: .daemon)
    _ = try shares.take(1, for: .daemon)
    // Its own gives no client room.
    shares.give(1_024, for: .daemon)
    #expect(throws: VerbRefusal.self) { try shares.take(9, for: cause(9, of: 5)) }
  }

  /// Such as the stops of a thousand loops whose client left.
  @Test func whatIsTakenBeyondAnyBoundIsTheUsersOwnLoss() throws {
    var shares = Shares()
    for client in 1...9 as ClosedRange<UInt64> { shares.takeAnyway(1_024, for: cause(client, of: 10)) }
    #expect(throws: VerbRefusal.self) { try shares.take(9, for: cause(10, of: 10)) }
    _ = try shares.take(1_024, for: cause(11, of: 20))
    for client in 1...9 as ClosedRange<UInt64> { shares.give(1_024, for: cause(client, of: 10)) }
    #expect(shares.count == 1_024)
    _ = try shares.take(1_024, for: cause(10, of: 10))
  }
}
