// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// Music steps back under what is heard, and under nothing that its switch keeps silent.
@Suite struct SwitchedDuckTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "ducking": [{"sound": "sfx_click", "depth": 0.25, "attack": 0.01, "hold": 0.02, "release": 0.02}]}
    """

  /// What is heard of a track of a quarter while a sound is played that itself is silence.
  private func heard(_ setting: String, sound: String) throws -> [Float] {
    let rig = try HostRig(manifest: Self.manifest, files: ["main"], records: true) { directory in
      let silence = HostRig.wave(seconds: 0.5) { _ in 0 }
      try Data(silence).write(to: URL(filePath: directory + "/sfx_click.wav"))
    }
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    _ = rig.ask("settings.set", setting)
    rig.step(microseconds: 100_000)
    _ = rig.ask("sound.play", sound)
    rig.step(microseconds: 1_000_000)
    return Array(try rig.heard()[24_000...])
  }

  @Test(arguments: [#"{"sound":"sfx_click"}"#, #"{"sound":"sfx_click","loop":true}"#])
  func whereSoundsAreOffTheMusicStaysAsLoudAsItIs(sound: String) throws {
    let off = try heard(#"{"sound":false}"#, sound: sound)
    #expect(off.allSatisfy { abs($0 - off[0]) < 1e-6 } && off[0] > 0.1)
    // The same with sounds on is heard in the music.
    let on = try heard(#"{"sound":true}"#, sound: sound)
    #expect(abs((on.min() ?? 0) - 0.25 * off[0]) < 1e-3)
  }
}
