// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Mixing

/// What buses add up to, whichever of them sums up straight in the mix.
@Suite struct BusTests {
  /// The bus of the first slot is not the first bus here, and where it is not alone its sum has to make room.
  @Test(arguments: [[Bus.sound, .voice], [.voice, .sound], [.haptic, .voice, .sound]])
  func everyBusIsHeardWhicheverSlotComesFirst(_ order: [Bus]) {
    let studio = Studio()
    for (index, bus) in order.enumerated() {
      studio.start(studio.constant([0.25, 0.125, 0.0625][index]), on: bus, at: 0)
    }
    let expected: Float = order.count == 2 ? 0.375 : 0.4375
    #expect(studio.render(1_500).allSatisfy { $0 == Frame(left: expected, right: expected) })
  }

  /// The sum goes back and forth between the bus's own room and the mix.
  @Test func aBusThatIsAloneTakesItsGainFromItsFrameOn() {
    let studio = Studio()
    studio.start(studio.constant(0.5), on: .voice, at: 0)
    studio.submit(
      .busGain(.voice, to: 0.5, at: 400, fade: .none), .busGain(.voice, to: 1, at: 900, fade: .none))
    let out = studio.render(1_500)
    #expect(out[..<400].allSatisfy { $0.left == 0.5 && $0.right == 0.5 })
    #expect(out[400..<900].allSatisfy { $0.left == 0.25 && $0.right == 0.25 })
    #expect(out[900...].allSatisfy { $0.left == 0.5 && $0.right == 0.5 })
  }
}
