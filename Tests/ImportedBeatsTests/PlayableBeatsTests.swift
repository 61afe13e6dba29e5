// SPDX-License-Identifier: Apache-2.0

import ImportedBeats
import Rhythm
import Testing

@Suite struct PlayableBeatsTests {
  @Test func whatCannotBeTappedIsLeftOutAndCounted() throws {
    let written = [
      Beat(at: 2_000_000, lane: 1), Beat(at: 2_000_000, lane: 0), Beat(at: -1, lane: 0), Beat(at: 2_019_999, lane: 2),
      Beat(at: 2_020_000, lane: 2), Beat(at: 3_000_001, lane: 0), Beat(at: 3_000_000, lane: 0),
    ]
    let playable = PlayableBeats(written, length: 3_000_000)
    #expect(
      playable.beats == [Beat(at: 2_000_000, lane: 0), Beat(at: 2_020_000, lane: 2), Beat(at: 3_000_000, lane: 0)])
    #expect(
      playable.leftOut == "4 of 7 beats left out: 2 within 20 ms of another, 1 before the beginning, 1 behind the end")
    // What is left makes a map.
    _ = try BeatMap(beats: playable.beats, lanes: ["a", "b", "c"], length: 3_000_000)
    #expect(PlayableBeats(written, shift: 1, length: 3_000_001).before == 0)
    #expect(PlayableBeats([Beat(at: 5)]).leftOut == nil)
  }

  @Test func namesOfPacksAreMadeOfWhatPeopleWrite() {
    #expect(nameForPack("The End (Café Mix) #2.m4a") == "the-end-caf-mix-2-m4a")
    #expect(nameForPack("__a-B  c__") == "__a-b-c__")
    #expect(nameForPack("日本") == nil)
    #expect(nameForPack(String(repeating: "a", count: 70))?.count == 64)
    #expect(nameForPack("don't") == "dont")
  }
}
