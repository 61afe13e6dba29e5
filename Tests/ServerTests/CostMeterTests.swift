// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Server

@Suite struct CostMeterTests {
  @Test func whatWasUsedSinceAnEarlierReadingIsTheCost() {
    var meter = CostMeter(isCounting: false)
    meter.begin(at: 5_000)
    #expect(meter.take(at: 12_000).nanoseconds == 7_000)
    #expect(meter.take(at: 13_000).nanoseconds == 1_000)
    // What was counted too much before is nobody's gain.
    #expect(meter.take(at: 9_000) == .zero)
    #expect(meter.take(at: 9_500).nanoseconds == 500)
  }

  @Test func whatIsCountedDependsOnNoClock() {
    var meter = CostMeter(isCounting: true)
    meter.begin(at: 1)
    meter.note(bytes: 100)
    #expect(meter.take(at: 77_777).nanoseconds == 12_000)
    meter.note(steps: 1_000)
    #expect(meter.take(at: 1).nanoseconds == 2_000_000)
    #expect(meter.take(at: 1) == .zero)
  }
}

@Suite struct ProcessorTimeTests {
  @Test func theSystemIsAskedOnceInAWhile() {
    var time = ProcessorTime(1_000, at: 0)
    var readings = 0
    for step in 1...100 {
      // Each step is work: what the system tells is what passed.
      let now = Int64(step) * 18_000
      #expect(
        time.used(at: now) {
          readings += 1
          return 1_000 + now
        } == 1_000 + now)
    }
    // Twelve steps of 18 us are the first beyond 200 us.
    #expect(readings == 100 / 12)
  }

  @Test func theSystemIsAskedSoonerWhereNobodyWaits() {
    var time = ProcessorTime(0, at: 0)
    #expect(time.used(at: 100_000, isAwaited: false) { -1 } == 100_000)
    #expect(time.used(at: 100_001) { -1 } == 100_001)
    #expect(time.used(at: 100_002, isAwaited: false) { 70_000 } == 70_000)
    // Known anew: whoever waits does not wait for it again.
    #expect(time.used(at: 300_002) { -1 } == 270_000)
  }

  @Test func whatWasSleptIsNotUsed() {
    var time = ProcessorTime(0, at: 0)
    #expect(time.used(at: 10_000) { 0 } == 10_000)
    time.woke(at: 5_000_000_000)
    #expect(time.used(at: 5_000_010_000) { -1 } == 20_000)
  }

  @Test func whatWasTakenFromTheThreadIsPutRightByTheNextReading() {
    var time = ProcessorTime(0, at: 0)
    // 150 us pass, in which others had the processor: they count, for now.
    #expect(time.used(at: 150_000) { 0 } == 150_000)
    // Then it is kept away for 10 ms, which is seen at once.
    #expect(time.used(at: 10_150_000) { 20_000 } == 20_000)
    #expect(time.used(at: 10_160_000) { 0 } == 30_000)
  }
}

@Suite struct CountedCostTests {
  @Test func onTheSteppedClockALineIsChargedForTheStepsThatItSetsOff() throws {
    let rig = try Rig()
    let (first, second) = (try rig.connect(), try rig.connect())
    let host = rig.host
    host.onTap = { [unowned host] in if host.taps.last?.cause.client.rawValue == 1 { host.stepCount = 2_000 } }
    let taps = String(repeating: #"{"id":1,"method":"rhythm.stop"}"# + "\n", count: 3)
    first.send(taps)
    second.send(taps)
    rig.settle(rounds: 12)
    #expect(host.taps.map(\.cause.client.rawValue) == [1, 2, 2, 2, 1, 1])
  }

  @Test func whatAChapterAnswersToABeatIsNotItsPlayersToPay() throws {
    let rig = try Rig()
    let (player, other) = (try rig.connect(), try rig.connect())
    let host = rig.host
    host.onTap = { [unowned host] in
      guard host.taps.last?.cause.client.rawValue == 1 else { return }
      (host.stepCount, host.isHit) = (2_000, true)
    }
    let line = #"{"id":1,"method":"rhythm.stop"}"# + "\n"
    player.send(String(repeating: line, count: 2))
    other.send(String(repeating: line, count: 60))
    rig.settle(rounds: 80)
    let order = host.taps.map(\.cause.client.rawValue)
    #expect(order.count == 62 && order.first == 1)
    // As many of the other's lines as cost 100 us, not the 4 ms of the answer.
    #expect((2...12).contains(order.lastIndex(of: 1) ?? 0), "\(order)")
  }
}
