// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

/// `engine.status` tells how soon anything can be heard; whoever counts on it is not late.
@Suite struct LeadTests {
  @Test func whatIsAskedForTheLeadAfterNowIsInTime() throws {
    let rig = try HostRig()
    for step in 0..<200 as Range<Int64> {
      rig.step(microseconds: 1_009 + step)
      let status = try HostRig.result(rig.ask("engine.status"), EngineStatus.Result.self)
      let asked = status.nowUs + status.audio.leadUs
      let played = try HostRig.result(
        rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(asked)}"#), SoundPlay.Result.self)
      #expect(played.lateUs == 0 && played.scheduledUs == asked)
      let sooner = try HostRig.result(
        rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(asked - 1)}"#), SoundPlay.Result.self)
      #expect(sooner.lateUs == 1, "it is the first that is")
      _ = rig.ask("sound.stop")
    }
  }
}
