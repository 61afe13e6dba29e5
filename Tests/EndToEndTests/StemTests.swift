// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// Stems through the real daemon, by a stem that is its track turned over: as long as both are on the same frame, nothing is
/// left of them.
@Suite struct StemTests {
  private static func sample(_ frame: Int) -> Double { Double(frame * 7_919 % 1_021) / 4_096 }

  private static func rewrite(_ pack: String) throws {
    try WaveFile.write(pack + "/main.wav", seconds: 3) { sample($0) }
    try WaveFile.write(pack + "/over.wav", seconds: 3) { -sample($0) }
    let path = pack + "/pack.json"
    var text = try String(contentsOfFile: path, encoding: .utf8)
    for (old, new) in [
      (#""file": "main.wav","#, #""file": "main.wav", "stems": {"over": {"file": "over.wav"}},"#),
      (
        #""cues": {"#,
        #""cues": {"open": {"steps": [{"at": 0.25, "music": {"gain": 0, "stem": "over", "fade": 0.005}}]},"#
      ),
    ] {
      guard let range = text.firstRange(of: old) else { throw ProcessFailure("no \(old)") }
      text.replaceSubrange(range, with: new)
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func play(_ body: (SteppedGame, _ zero: Int64) throws -> Void) throws -> [Float] {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let game = try SteppedGame(["--record", directory + "/out.wav"]) { try Self.rewrite($0) }
    let clock = try game.connection.call(ClockNow.self, Empty())
    let zero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000 + 1_000_000
    try body(game, zero)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    return try WaveFile(directory + "/out.wav").channel(0)
  }

  @Test func theyStayOnOneFrameThroughLoopsSeeksPausesAndRates() throws {
    let heard = try play { game, zero in
      let connection = game.connection
      // A chapter that is missed is told by sounds.
      _ = try connection.call(SettingsSet.self, SettingsSet.Params(sound: false))
      _ = try connection.call(MusicPlay.self, MusicPlay.Params(track: "main", atUs: zero))
      // Round the loop, elsewhere, held, and over itself.
      try game.step(to: zero + 3_500_000)
      _ = try connection.call(MusicSeek.self, MusicSeek.Params(positionUs: 1_234_567))
      try game.step(to: zero + 4_000_000)
      _ = try connection.call(MusicPause.self, FadeParams())
      try game.step(to: zero + 4_200_000)
      _ = try connection.call(MusicResume.self, FadeParams())
      _ = try connection.call(MusicGain.self, MusicGain.Params(gain: 0.5, fadeUs: 100_000))
      try game.step(to: zero + 4_500_000)
      _ = try connection.call(
        MusicPlay.self, MusicPlay.Params(track: "main", crossfadeUs: 200_000, positionUs: 2_900_000))
      try game.step(to: zero + 5_000_000)
      _ = try connection.call(SettingsSet.self, SettingsSet.Params(music: false))
      try game.step(to: zero + 5_300_000)
      _ = try connection.call(SettingsSet.self, SettingsSet.Params(music: true))
      let chapter = try connection.call(RhythmStart.self, RhythmStart.Params(chapter: "firewall", rate: 0.77))
      try game.step(to: chapter.startUs + 1_000_000)
      _ = try connection.call(RhythmPause.self, Empty())
      try game.step(to: game.nowUs + 500_000)
      _ = try connection.call(RhythmResume.self, RhythmResume.Params())
      try game.step(to: game.nowUs + 3_000_000)
    }
    #expect(heard.count > 10 * 48_000)
    #expect(heard.allSatisfy { $0 == 0 })
  }

  @Test func oneIsTurnedDownByACueAndTheTrackIsHeard() throws {
    let heard = try play { game, zero in
      _ = try game.connection.call(MusicPlay.self, MusicPlay.Params(track: "main", atUs: zero))
      _ = try game.connection.call(CueFire.self, CueFire.Params(cue: "open", atUs: zero + 1_000_000))
      let list = try game.connection.listPacks()
      #expect(list.packs.first?.tracks.first { $0.name.hasSuffix("main") }?.stems == ["over"])
      try game.step(to: zero + 2_500_000)
    }
    let opens = 48_000 + 60_000
    #expect(heard[..<opens].allSatisfy { $0 == 0 })
    // In 5 ms, 1.25 s into the track.
    for frame in opens + 240..<opens + 40_000 {
      let written = Float(Int16(Self.sample(frame - 48_000) * 32_768)) / 32_768
      #expect(abs(heard[frame] - written) < 1e-6)
    }
  }
}
