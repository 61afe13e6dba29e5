// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct SteppedStartTests {
  /// A microsecond after its start a stepped clock has rendered nothing, and yet the first frame is over.
  @Test func nothingIsPromisedForBeforeNow() throws {
    let rig = try HostRig()
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains(#""scheduledUs":1000000"#))
    rig.step(microseconds: 1)
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click"}"#).contains(#""scheduledUs":1000021"#))
  }
}
