// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Timing

@testable import Engine

/// Verbs of haptic players, before any player is meant.
@Suite struct HapticPlayerVerbTests {
  @Test func waitsForSoundsOnlyWhereTheyMayChange() {
    #expect(HapticPlayerVerb.pause.isHeard)
    #expect(HapticPlayerVerb.resume.isHeard)
    #expect(HapticPlayerVerb.seek(to: .zero).isHeard)
    #expect(HapticPlayerVerb.set([.gain(0.5), .rate(2)]).isHeard)
    #expect(!HapticPlayerVerb.set([.gain(0.5)]).isHeard)
    #expect(HapticPlayerVerb.sendParameters([HapticParameter(.audioPan, 1)]).isHeard)
    #expect(!HapticPlayerVerb.sendParameters([HapticParameter(.sharpness, 1)]).isHeard)
  }

  @Test func isOneCommandForEachChangeOfASet() {
    let player = HapticPlayerID(rawValue: 3)
    let at = Instant(microseconds: 70)
    let commands = HapticPlayerVerb.set([.muted(true), .loops(false)]).commands(to: player, at: at)
    #expect(commands.map(\.player) == [player, player])
    #expect(commands.map(\.instant) == [at, at])
  }
}
