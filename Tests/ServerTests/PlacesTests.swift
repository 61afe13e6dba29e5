// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
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

  /// What must hold of those that are there, counted by user.
  private struct Seats {
    let owner: UInt32
    var taken: [UInt32: Int] = [:]

    /// One user has 48 of the 64 at most, and who runs the daemon finds four at any time, as root does: those that these have not
    /// taken are taken by nobody else.
    var areFair: Bool {
      let kept = Set([owner, 0]).reduce(0) { $0 + max(0, 4 - taken[$1, default: 0]) }
      return taken.values.reduce(0, +) + kept <= 64 && taken.values.allSatisfy { $0 <= 48 }
    }
  }

  @Test func whoeverComesAndGoesFindsAPlaceUnlessThatTakesWhatIsKeptForOthers() throws {
    try search(upTo: 40) { random in
      let places = Places(limits: Limits(), owner: random.pick([0, 1000]))
      var seats = Seats(owner: places.owner)
      // Some users of all, and one of them in greater numbers at a time.
      let users = [7, 8] + ([0, 1000, 9] as [UInt32]).filter { _ in random.oneIn(2) }
      var crowd = random.pick(users)
      for number in 0..<400 {
        if random.oneIn(80) { crowd = random.pick(users) }
        let user = random.oneIn(2) ? crowd : random.pick(users)
        if random.oneIn(4) {
          seats.taken[user] = max(0, seats.taken[user, default: 0] - 1)
          continue
        }
        var then = seats
        then.taken[user, default: 0] += 1
        let present = seats.taken.flatMap { [UInt32](repeating: $0.key, count: $0.value) }
        var refusal: RPCError?
        do throws(RPCError) { try places.check(user, among: present) } catch { refusal = error }
        try hold(
          (refusal == nil) == then.areFair,
          "client \(number), of user \(user) beside \(seats), is \(refusal?.message ?? "granted a place")")
        if refusal == nil { seats = then }
      }
    }
  }
}
