// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing
import Wire

@testable import Host

/// Programs that connect anew for each sound that they play.
@Suite struct GoneVoicesTests {
  private func stolen(_ rig: HostRig) -> [String] {
    rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
      .filter { $0.contains(#""reason":"stolen""#) }
  }

  /// Whether they have gone before their sounds begin or after.
  @Test(arguments: [false, true])
  func theyTakeNobodysOnlySound(late: Bool) throws {
    let rig = try HostRig()
    #expect(rig.ask("sound.play", #"{"sound":"sfx_click","gain":0.01,"loop":true}"#).contains(#""id":1,"#))
    rig.step(microseconds: 20_000)
    _ = rig.host.takeNotifications()
    for client in 2...90 as ClosedRange<UInt64> {
      let at = late ? #","keepAfterDisconnectUs":1000000,"atUs":\#(rig.host.now.microseconds + 500_000)"# : ""
      #expect(rig.ask("sound.play", #"{"sound":"sfx_click"\#(at)}"#, client: client).contains("result"))
      rig.host.clientLeft(ClientID(rawValue: client))
    }
    rig.step(microseconds: 530_000)
    let stolen = stolen(rig)
    // Of 64 voices one is the loop's.
    #expect(stolen.count == 89 - 63)
    #expect(!stolen.contains { $0.contains(#""id":1,"#) })
    #expect(rig.host.status().audio.activeVoices >= 1)
  }
}
