// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Server

@Suite struct ArrivalsTests {
  private func at(_ us: Int64) -> Instant { Instant(microseconds: us) }

  @Test func aLineCameWhenItsLastByteCame() {
    var arrivals = Arrivals()
    arrivals.note(10, at: at(1))
    arrivals.note(5, at: at(2))
    arrivals.note(0, at: at(3))
    arrivals.note(5, at: at(4))
    #expect(arrivals.arrival(ofByte: 4) == at(1))
    #expect(arrivals.arrival(ofByte: 10) == at(1))
    #expect(arrivals.arrival(ofByte: 11) == at(2))
    #expect(arrivals.arrival(ofByte: 16) == at(4))
    #expect(arrivals.arrival(ofByte: 20) == at(4))
    #expect(arrivals.arrival(ofByte: 21) == nil)
    arrivals.note(1, at: at(5))
    #expect(arrivals.arrival(ofByte: 21) == at(5))
  }

  @Test func manyReadingsStayInOrder() {
    var arrivals = Arrivals()
    for number in 1...5_000 { arrivals.note(3, at: at(Int64(number))) }
    for number in 1...5_000 { #expect(arrivals.arrival(ofByte: number * 3) == at(Int64(number))) }
  }
}
