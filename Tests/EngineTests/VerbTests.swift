// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Testing
import Timing

@testable import Engine

/// The engine's own verbs, asked in instants, fades, keys and voices: what cues, chapters and requests stand on.
@Suite struct VerbTests {
  private let me = Cause(client: ClientID(rawValue: 1), line: 1)

  private func at(_ milliseconds: Int64) -> Instant { Instant(microseconds: 1_000_000 + 1_000 * milliseconds) }

  @Test func aSoundBeginsAtTheFrameOfItsInstantAndEndsByItsVoice() throws {
    var fixture = try EngineFixture()
    let pack = try #require(fixture.engine.catalog.generations.first)
    let played = try fixture.engine.play("click", in: pack, at: at(500), isAsap: false, by: me)
    let voice = try #require(played)
    try fixture.engine.stopSound(voice, Fade(frames: 480), at: at(600), isForGood: false, by: me)
    let audio = fixture.run(to: at(1_000).microseconds).audio
    #expect(audio.compactMap { if case .start(let start) = $0 { start.at } else { nil } } == [Int64(24_000)])
    #expect(audio.stopped == [Stopped(voice: voice, at: 28_800, frames: 480)])
  }

  @Test func aVerbOfMusicIsPlannedForItsInstantAndCalledOffByItsPlan() throws {
    var fixture = try EngineFixture()
    let plan = try fixture.engine.plan(.stop(Fade(frames: 480)), at: at(500), by: me)
    #expect(fixture.engine.music.entries.map(\.at) == [at(500)])
    try fixture.engine.cancelMusic(plan, .cancelled, by: me)
    #expect(fixture.engine.music.entries.isEmpty)
    let again = #expect(throws: VerbRefusal.self) { try fixture.engine.cancelMusic(plan, .cancelled, by: me) }
    #expect(again?.kind == .notRunning)
  }
}
