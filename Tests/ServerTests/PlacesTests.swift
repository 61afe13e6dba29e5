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
    #expect(check(8, [(7, 48), (8, 11)]) == nil)
  }

  @Test func theOwnerAndRootAlwaysFindFour() {
    #expect(
      check(8, [(7, 48), (8, 12)]) == "60 clients are connected; the places left are the daemon's owner's")
    for taken in 0..<4 {
      #expect(check(1000, [(7, 48), (8, 12), (1000, taken)]) == nil)
      #expect(check(0, [(7, 48), (8, 12), (0, taken)]) == nil)
    }
    #expect(check(0, [(7, 48), (8, 12), (1000, 4)]) == "64 clients are connected, the most there may be")
  }

  @Test func theOwnersProgramsLeaveRoomForOthers() {
    #expect(check(1000, [(1000, 48)]) != nil)
    #expect(check(0, [(1000, 48)]) == nil)
    #expect(check(7, [(1000, 48)]) == nil)
  }
}
