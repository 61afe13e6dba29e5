// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Testing
import Timing

@testable import Engine

/// What is kept of sounds that are over.
@Suite struct SoundBoardTests {
  private func entry(_ name: String) -> SoundBoard.Entry {
    SoundBoard.Entry(
      sound: AssetKey(pack: "game", name: name), cause: .daemon, at: .zero, ownGain: 1, loops: false, cue: nil,
      keepAfterDisconnect: .zero)
  }

  /// Packs that are read again and again bring names that were never there before.
  @Test func namesOfSoundsThatAreOverAreForgotten() {
    var board = SoundBoard()
    var given: Set<UInt32> = []
    board.add(VoiceID(rawValue: 1), entry("long"))
    let long = board.number(of: AssetKey(pack: "game", name: "long"))
    var most = 0
    for number in 2...100_001 as ClosedRange<UInt64> {
      let name = "sound \(number)"
      board.add(VoiceID(rawValue: number), entry(name))
      #expect(given.insert(board.number(of: AssetKey(pack: "game", name: name))).inserted)
      // Sixteen sound at once.
      if number > 18 { _ = board.remove(VoiceID(rawValue: number - 16)) }
      most = max(most, board.numberCount)
    }
    #expect(most <= 64)
    #expect(board.number(of: AssetKey(pack: "game", name: "long")) == long)
  }
}
