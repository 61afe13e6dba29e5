// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Testing

@testable import Server

@Suite struct ErrandTests {
  private let ask = #"{"id":2,"method":"settings.get"}"# + "\n"

  private func play(padding: Int) -> String {
    #"{"id":1,"method":"haptics.play","params":{"ahap":[0"# + String(repeating: ",0", count: padding / 2) + "]}}\n"
  }

  @Test func whileOnesDearLineIsWorkedOnEverybodyElseIsServedAndItsOwnLinesWait() throws {
    let rig = try Rig(clock: .live)
    let dear = try rig.connect()
    let other = try rig.connect()
    let mayEnd = rig.host.holdWork()
    dear.send(play(padding: 5_000) + ask)
    rig.settle()
    #expect(rig.exchange(other, ask).count == 1)
    #expect(dear.lines() == [])
    mayEnd.open()
    var lines: [String] = []
    while lines.count < 2 {
      sched_yield()
      rig.settle()
      lines += dear.lines()
    }
    #expect(lines.first?.contains(#""player":7"#) == true)
    #expect(lines.last?.contains(#""id":2"#) == true)
  }

  @Test func aClientThatLeavesMeanwhileIsPartedWithAndNobodyNotices() throws {
    let rig = try Rig(clock: .live)
    let other = try rig.connect()
    let mayEnd = rig.host.holdWork()
    do {
      let dear = try rig.connect()
      dear.send(play(padding: 5_000))
      rig.settle()
    }
    rig.settle()
    mayEnd.open()
    while rig.host.left.isEmpty {
      sched_yield()
      rig.settle()
    }
    #expect(rig.exchange(other, ask).count == 1)
  }

  /// Longer than what control reads itself: it is read elsewhere, and then worked on.
  @Test func aLineThatIsDearToReadIsReadElsewhereAndAnsweredInItsPlace() throws {
    let rig = try Rig(clock: .live)
    rig.host.work = { 7 }
    let client = try rig.connect()
    let refused =
      #"{"id":3,"method":"haptics.play","params":{"ahap":[0"# + String(repeating: ",0", count: 10_000) + ",]}}\n"
    client.send(play(padding: 20_000) + refused + ask)
    var lines: [String] = []
    while lines.count < 3 {
      sched_yield()
      rig.settle()
      lines += client.lines()
    }
    #expect(lines[0].contains(#""player":7"#))
    #expect(lines[1].contains(#""kind":"parse""#))
    #expect(lines[2].contains(#""id":2"#))
  }

  @Test func aShortLineIsServedAtOnce() throws {
    let rig = try Rig(clock: .live)
    rig.host.work = { 7 }
    #expect(rig.exchange(try rig.connect(), play(padding: 10)).first?.contains("nothing to compute") == true)
  }
}
