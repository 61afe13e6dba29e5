// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Testing
import Timing

@testable import Engine

/// What was told of beats ahead, held against what is to be heard now.
@Suite struct BeatBoardTests {
  private func first(_ frame: Int64) -> (moment: MusicMoment, at: Instant) {
    let grid = MusicGrid(first: 0, step: 24_000, beatsPerBar: 4, bpm: 120)
    let beat = MusicMoment.Beat(0, count: 0, grid, rate: 1)
    return (
      MusicMoment(track: AssetKey(pack: "game", name: "main"), kind: .beat(beat), frame: frame),
      Instant(nanoseconds: 1_000_000_000 + frame * 1_000_000_000 / 48_000)
    )
  }

  @Test func ofBeatsThatLieWithinAFrameOfEachOtherEachIsKnownAgain() {
    var board = BeatBoard()
    board.isWanted = true
    // The track begins anew a frame after it began: that beat was told, the other was over as anybody listened.
    let (over, told) = (first(0), first(1))
    let now = over.at
    let ahead = board.follow([told], now: now, sight: now + .milliseconds(250), revision: 1, next: nil)
    #expect(ahead == [.ahead(board.told[0])])
    #expect(board.follow([over, told], now: now, sight: now + .milliseconds(250), revision: 2, next: nil) == [])
    #expect(board.told.map(\.moment.frame) == [1])
  }
}
