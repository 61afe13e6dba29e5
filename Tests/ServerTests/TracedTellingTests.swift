// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Timing
import Tracing
import Wire

@testable import Server

/// What is recorded of clients being told.
@Suite struct TracedTellingTests {
  private func fired(_ rig: Rig, _ id: Int64) -> OutgoingNotification {
    OutgoingNotification(
      CueFired(id: id, cue: String(repeating: "x", count: 4_000), skipped: []), tUs: rig.host.now.microseconds)
  }

  private func life(ofCue id: Int64, _ rig: Rig) -> Life? {
    Life.explained(.cue, id, in: rig.host.trace.kept, rate: 48_000, now: rig.host.now)
  }

  @Test func aClientThatDoesNotReadIsNamedAndThenWhenItRead() throws {
    let rig = try Rig(clock: .live)
    let slow = try rig.connect()
    _ = rig.exchange(slow, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    // Until the socket takes no more. What a busy machine makes late on the way is another's.
    var id: Int64 = 0
    var waits: Life.Blame?
    while waits == nil, id < 400 {
      id += 1
      rig.host.pending = [fired(rig, id)]
      rig.settle(rounds: 1)
      usleep(2_000)
      waits = life(ofCue: id, rig)?.blames.first { $0.culprit == .clientDoesNotRead }
    }
    #expect(waits?.client == 1)
    let first = life(ofCue: 1, rig)
    #expect(first?.stages.map(\.kind) == [.told] && first?.stages.first?.over != nil)
    _ = slow.lines()
    rig.settle()
    let read = life(ofCue: id, rig)
    #expect(read?.stages.last?.over != nil)
    #expect(read?.blames.contains { $0.culprit == .clientDoesNotRead } == true)
  }

  @Test func eachClientIsToldWithItsLinesAndWhatItDoesNotRead() throws {
    let rig = try Rig()
    let one = try rig.connect()
    let other = try rig.connect()
    _ = rig.exchange(other, #"{"id":1,"method":"events.subscribe","params":{"topics":["music","cue"]}}"# + "\n")
    _ = rig.exchange(one, #"{"id":1,"method":"settings.get"}"# + "\n")
    let stats = rig.server.stats(over: .milliseconds(1_000))
    #expect(stats.clients.map(\.client) == [1, 2])
    #expect(stats.clients.map(\.recentLines) == [1, 1])
    #expect(stats.clients.map(\.topics) == [0, 2])
    for (over, isRefused) in [(99_999, true), (100_000, false), (60_000_000, false), (60_000_001, true)] {
      let reply = rig.exchange(one, #"{"id":2,"method":"engine.stats","params":{"overUs":\#(over)}}"# + "\n")
      #expect(reply.count == 1 && reply[0].contains("is outside") == isRefused, "\(reply)")
    }
  }

  @Test func aLineIsRecordedFromItsArrivalToItsReply() throws {
    let rig = try Rig()
    let client = try rig.connect()
    _ = rig.exchange(client, #"{"id":1,"method":"settings.get"}"# + "\n")
    var lines: [TraceRecord] = []
    rig.host.trace.kept.visit { if case .line = $0.event { lines.append($0) } }
    #expect(lines.map(\.client) == [1] && lines.map(\.line) == [1])
  }

  @Test func aLineIsRecordedWithItsMethodWhoeverServesIt() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let methods = ["session.hello", "settings.get", "engine.stats", "no.method"]
    for method in methods { _ = rig.exchange(client, #"{"id":1,"method":"\#(method)","params":{}}"# + "\n") }
    _ = rig.exchange(client, "{\n")
    var called: [String?] = []
    rig.host.trace.kept.visit {
      guard case .line(_, _, _, _, _, _, let method) = $0.event else { return }
      called.append(allMethods.indices.contains(Int(method)) ? allMethods[Int(method)].name : nil)
    }
    #expect(called == methods.dropLast() + [nil, nil])
  }
}
