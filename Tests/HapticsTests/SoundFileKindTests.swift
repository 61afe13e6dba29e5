// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing

@Suite struct SoundFileKindTests {
  @Test(arguments: [
    (Array("RIFF....WAVEfmt ".utf8), "WAV"), (Array("OggS".utf8), "Ogg"), (Array("fLaC".utf8), "FLAC"),
    (Array("ID3".utf8), "MP3"), ([0xFF, 0xFB, 0x90], "MP3"), ([0xFF, 0xF3], "MP3"),
    (Array("FORM....AIFF".utf8), "AIFF"),
  ])
  func soundsAreKnownByTheirFirstBytes(bytes: [UInt8], kind: String) {
    #expect(soundFileKind(bytes) == kind)
  }

  @Test(
    arguments: [
      [], Array("{".utf8), [0xEF, 0xBB, 0xBF, 0x7B], [0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B], [0xFF],
      Array("RIFF....AVI ".utf8), Array("RIFF".utf8),
    ] as [[UInt8]])
  func textIsNoSound(bytes: [UInt8]) {
    #expect(soundFileKind(bytes) == nil)
  }
}
