// SPDX-License-Identifier: Apache-2.0

import Engine
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
    #expect(unheard.allSatisfy { $0.upTo <= max(rig.host.settlesAt!, $0.at - Hearing.longest) })
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
    #expect(unheard.allSatisfy { $0.upTo <= max(due, $0.at - Hearing.longest) })
  }

  private func at(_ ms: Int64) -> Instant { Instant(microseconds: 1_000 * ms) }

  @Test func whatIsNotServedIsNotHeardForATenthOfASecond() {
    var hearing = Hearing()
    let looks: [(ms: Int64, last: Int64, heard: Int64)] = [
      (0, 0, 0), (5, 0, 0), (100, 0, 0),
      // Whoever has lines without end holds up no longer.
      (106, 0, 6), (200, 150, 150), (215, 215, 215), (400, 215, 300),
      // What was heard stays heard.
      (401, 250, 301), (402, 402, 402), (403, 390, 402),
    ]
    let heard = looks.map { hearing.looked(at: at($0.ms), last: at($0.last)) }
    #expect(heard == looks.map { at($0.heard) })
    #expect(hearing.isBehind)
  }

  /// Lines of others have waited for so long that nobody waits for them; a tap is served in a few looks.
  @Test func aTapIsHeardBesideLinesThatHaveWaitedForLong() throws {
    let rig = try Rig(clock: .live)
    let (loud, quiet) = (try rig.connect(), try rig.connect())
    loud.send(tap)
    rig.readLines(of: [1])
    let connections = [1, 2].compactMap { rig.server.connections[ClientID(rawValue: $0)] }
    // The loud one rests, and so waits all the while; the other has sent nothing.
    connections[0].heardUpTo = rig.host.now - .milliseconds(500)
    connections[1].heardUpTo = rig.host.now
    quiet.send(tap)
    rig.readLines(of: [2])
    let sent = rig.host.now
    #expect(connections.count { $0.leavesSomething } == 2)
    let last = try #require(connections.map(\.heardUpTo).min())
    // What is due up to a tenth of a second ago may be settled, and nothing behind what the other may have tapped.
    var hearing = Hearing()
    let heard = hearing.looked(at: sent, last: last)
    #expect(heard == sent - Hearing.longest)
  }
}
