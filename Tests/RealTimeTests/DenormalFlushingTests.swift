// SPDX-License-Identifier: Apache-2.0

import RealTime
import Testing

@Suite struct DenormalFlushingTests {
  /// Kept from the optimiser, which would multiply at compile time.
  @inline(never) private func product(_ a: Float, _ b: Float) -> Float { a * b }

  @Test func denormalsAreZeroInsideAndBackOutside() {
    let small = Float.leastNormalMagnitude
    #expect(product(small, 0.5) != 0)
    let flushing = DenormalFlushing()
    let inside = product(small, 0.5)
    flushing.restore()
    #expect(inside == 0)
    #expect(product(small, 0.5) != 0)
  }
}
