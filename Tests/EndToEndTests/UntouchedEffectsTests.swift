// SPDX-License-Identifier: Apache-2.0

import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// Effects while music cross-fades, through the real daemon: the music is silent here, so what is heard is the effect.
@Suite struct UntouchedEffectsTests {
  @Test func anEffectTakesNoPartInACrossFadeOfMusic() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let game = try SteppedGame(["--record", directory + "/out.wav"]) { pack in
      for name in ["main", "finale"] { try WaveFile.write(pack + "/\(name).wav", seconds: 5) { _ in 0 } }
    }
    let clock = try game.connection.call(ClockNow.self, Empty())
    let zero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000 + 1_000_000
    let connection = game.connection
    _ = try connection.call(MusicPlay.self, MusicPlay.Params(track: "main", atUs: zero))
    // A constant half, over and over, from before the cross-fade to behind it.
    let lock = try connection.call(
      SoundPlay.self, SoundPlay.Params(sound: "sfx_lock", atUs: zero + 500_000, loop: true))
    _ = try connection.call(MusicPlay.self, MusicPlay.Params(track: "finale", atUs: zero + 1_000_000))
    _ = try connection.call(SoundStop.self, SoundStop.Params(id: lock.id, atUs: zero + 2_000_000))
    let told = try game.step(to: zero + 2_500_000).all(MusicChanged.self)
    #expect(told.contains { $0.payload.change == .crossfaded && $0.payload.fadeUs == 500_000 })
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    let heard = try WaveFile(directory + "/out.wav").channel(0)
    #expect(heard[72_000..<144_000].allSatisfy { $0 == 0.5 })
    #expect(heard[..<72_000].allSatisfy { $0 == 0 })
    #expect(heard[144_240...].allSatisfy { $0 == 0 })
  }
}
