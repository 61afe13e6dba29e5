// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import Server

@Suite struct PlacesTests {
  private let places = Places(limits: Limits(), owner: 1000)

  private func check(_ user: UInt32, _ present: [(user: UInt32, count: Int)]) -> String? {
    do throws(RPCError) {
      try places.check(user, among: present.flatMap { [UInt32](repeating: $0.user, count: $0.count) })
      return nil
    } catch {
      #expect(error.data.kind == "tooManyClients")
      return error.message
    }
  }

  @Test func oneUserHasFortyEightAtMost() {
    #expect(check(7, [(7, 47)]) == nil)
    #expect(check(7, [(7, 48)]) == "user 7 has 48 clients connected, the most one may have")
    #expect(check(8, [(7, 48), (8, 7)]) == nil)
  }

  @Test func theOwnerAndRootAlwaysFindFourWhateverTheOtherHas() {
    let full: [(user: UInt32, count: Int)] = [(7, 48), (8, 8)]
    #expect(check(8, full) == "56 clients are connected; the places left are the daemon's owner's and root's")
    for taken in 0..<4 {
      #expect(check(1000, full + [(1000, taken), (0, 4)]) == nil)
      #expect(check(0, full + [(0, taken), (1000, 4)]) == nil)
    }
    #expect(check(0, full + [(0, 4)]) == "60 clients are connected; the places left are the daemon's owner's")
    #expect(check(1000, full + [(0, 4), (1000, 4)]) == "64 clients are connected, the most there may be")
    // Nor are root's taken by the owner's programs.
    #expect(check(1000, [(7, 12), (1000, 47)]) == nil)
    #expect(check(1000, [(7, 13), (1000, 47)]) == "60 clients are connected; the places left are root's")
    #expect(check(0, [(7, 13), (1000, 47)]) == nil)
    // What root leaves the others may not take either.
    #expect(
      check(8, [(7, 48), (8, 2), (0, 10)]) == "60 clients are connected; the places left are the daemon's owner's")
  }

  @Test func ofADaemonOfRootsAllOthersHaveSixty() {
    let places = Places(limits: Limits(), owner: 0)
    let most = [UInt32](repeating: 7, count: 48)
    #expect(throws: Never.self) { try places.check(8, among: most + [UInt32](repeating: 8, count: 11)) }
    let full = most + [UInt32](repeating: 8, count: 12)
    #expect(throws: RPCError.self) { try places.check(8, among: full) }
    #expect(throws: Never.self) { try places.check(0, among: full + [0, 0, 0]) }
  }

  @Test func theOwnersProgramsLeaveRoomForOthers() {
    #expect(check(1000, [(1000, 48)]) != nil)
    #expect(check(0, [(1000, 48)]) == nil)
    #expect(check(7, [(1000, 48)]) == nil)
  }
}
