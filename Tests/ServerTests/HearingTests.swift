// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Timing

@testable import Server

/// Clients are heard before anything is settled that they may have tapped.
@Suite struct HearingTests {
  private let tap = #"{"id":1,"method":"rhythm.stop"}"# + "\n"

  @Test func whatCameInTimeIsServedBeforeTheEngineSettlesHoweverLateControlComes() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    // Control looks for nothing between these: so it may have stood still here.
    client.send(tap)
    let due = rig.host.now
    rig.host.settlesAt = due
    let runs = rig.host.runs
    _ = rig.server.turn(waiting: false)
    #expect(rig.host.runsBeforeTaps == [runs])
    // Only from then on they count as heard.
    #expect(rig.host.heard.map(\.taps) == [0, 1])
    #expect(try #require(rig.host.heard.last).upTo >= due)
  }

  @Test func whoComesWithATapIsHeardAtOnce() throws {
    let rig = try Rig(clock: .live)
    let client = try #require(TestClient(path: rig.path))
    client.send(tap)
    rig.host.settlesAt = rig.host.now
    let runs = rig.host.runs
    _ = rig.server.turn(waiting: false)
    #expect(rig.host.runsBeforeTaps == [runs])
  }

  @Test func whereNothingIsToBeSettledNobodyIsLookedForOnceMore() throws {
    let rig = try Rig(clock: .live)
    rig.settle()
    #expect(rig.host.heard.count == 1 + rig.host.stalls.count)
  }

  @Test func whatWaitsBehindALineThatIsDoneBesideIsNotHeardBeforeThat() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    let mayEnd = rig.host.holdWork()
    let dear = #"{"id":1,"method":"haptics.play","params":{"ahap":[0"# + String(repeating: ",0", count: 2_500) + "]}}\n"
    client.send(dear + tap)
    rig.host.settlesAt = rig.host.now
    _ = rig.server.turn(waiting: false)
    let before = rig.host.heard.count
    #expect(rig.host.taps.isEmpty)
    mayEnd.open()
    while rig.host.taps.isEmpty {
      sched_yield()
      rig.settle(rounds: 1)
    }
    rig.settle()
    // However long that took, nothing counted as heard without the tap, but for what waits for longer than it may.
    let unheard = rig.host.heard[before...].filter { $0.taps == 0 }
    #expect(unheard.allSatisfy { $0.upTo - rig.host.settlesAt! >= Hearing.longest })
    #expect(!rig.server.hearing.isBehind)
  }

  @Test func whatIsReadInPartsIsHeardOnceItIsWhole() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    rig.host.work = { 7 }
    let zeros = String(repeating: ",0", count: 70_000)
    let long = #"{"id":1,"method":"haptics.play","params":{"ahap":[0\#(zeros)]}}"# + "\n"
    #expect(client.send(long + tap) == long.utf8.count + tap.utf8.count)
    let due = rig.host.now
    rig.host.settlesAt = due
    let before = rig.host.heard.count
    while rig.host.taps.isEmpty {
      sched_yield()
      rig.settle(rounds: 1)
    }
    let unheard = rig.host.heard[before...].filter { $0.taps == 0 }
    #expect(unheard.allSatisfy { $0.upTo - due >= Hearing.longest })
  }

  @Test func whatIsNotServedIsNotHeardForATenthOfASecond() {
    var hearing = Hearing()
    let looks: [(ms: Int64, leavesLines: Bool)] = [
      (0, false), (5, true), (104, true),
      // Whoever has lines without end holds up no longer, nor what comes next.
      (105, true), (106, true), (107, false), (108, true),
    ]
    let heard = looks.map { hearing.looked(at: Instant(microseconds: 1_000 * $0.ms), leavesLines: $0.leavesLines) }
    #expect(heard == [true, false, false, true, true, true, false])
  }
}
