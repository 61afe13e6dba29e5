// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing
import Timing

@testable import Engine

@Suite struct PlanQueueTests {
  @Test func stepsComeByInstantAndThenInTheOrderPlanned() {
    var queue = PlanQueue<String>()
    queue.insert("late", at: Instant(microseconds: 30))
    queue.insert("first at ten", at: Instant(microseconds: 10))
    queue.insert("second at ten", at: Instant(microseconds: 10))
    queue.insert("early", at: Instant(microseconds: 5))
    queue.insert("third at ten", at: Instant(microseconds: 10))
    #expect(queue.next == Instant(microseconds: 5))
    var order: [String] = []
    while let (_, step) = queue.pop(upTo: Instant(microseconds: 29)) { order.append(step) }
    #expect(order == ["early", "first at ten", "second at ten", "third at ten"])
    #expect(queue.next == Instant(microseconds: 30))
  }

  @Test func aThousandStepsInAnyOrderComeSorted() {
    var queue = PlanQueue<Int>()
    var random = SeededRandom(seed: 7)
    let instants = (0..<1_000).map { _ in Int64.random(in: 0...200, using: &random) }
    for (index, instant) in instants.enumerated() { queue.insert(index, at: Instant(microseconds: instant)) }
    let dropped = queue.removeAll { $1 % 3 == 0 ? $1 : nil }
    #expect(dropped == instants.indices.filter { $0 % 3 == 0 }.sorted { (instants[$0], $0) < (instants[$1], $1) })
    var popped: [Int] = []
    while let (_, step) = queue.pop(upTo: .distantFuture) { popped.append(step) }
    let expected = instants.indices.filter { $0 % 3 != 0 }.sorted { (instants[$0], $0) < (instants[$1], $1) }
    #expect(popped == expected)
  }
}
