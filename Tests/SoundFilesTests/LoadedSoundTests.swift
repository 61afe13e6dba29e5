// SPDX-License-Identifier: Apache-2.0

import Mixing
import Problems
import Testing

@testable import SoundFiles

@Suite struct LoadedSoundTests {
  let directory = TestDirectory()

  /// All that a voice could play of a sound.
  func samples(_ sound: LoadedSound, loop: Bool) -> [Float] {
    withExtendedLifetime(sound) {
      let source = sound.source(loop: loop)
      return (0..<2 * source.frames).map { source.samples[$0] }
    }
  }

  @Test func aSoundIsDecodedAndResampledWhole() throws {
    let path = directory.sound(.wav, rate: 44_100, channels: 1, frames: 4_410) { frame, _ in
      sine(440, 0.5, at: frame, rate: 44_100)
    }
    let sound = try LoadedSound(path: path, rate: 48_000)
    let source = sound.source(loop: false)
    #expect(sound.frames == 4_800)
    #expect(sound.seconds == 0.1)
    #expect(source.frames == 4_800)
    #expect(source.loopEnd <= source.loopStart)
    #expect(Int(bitPattern: source.samples.address) % 64 == 0)
    let heard = samples(sound, loop: false)
    #expect((200..<4_600).allSatisfy { abs(heard[2 * $0 + 1] - sine(440, 0.5, at: $0, rate: 48_000)) < 1e-5 })
  }

  @Test func atTheEnginesRateTheSoundIsTheFile() throws {
    let path = directory.sound(.flac, rate: 48_000, channels: 2, frames: 3_000, signal: busySignal)
    let sound = try LoadedSound(path: path, rate: 48_000)
    #expect(samples(sound, loop: false) == sequentialDecode(path))
    #expect(samples(sound, loop: true) == sequentialDecode(path))
    #expect(sound.source(loop: true).loopStart == 0)
    #expect(sound.source(loop: true).loopEnd == 3_000)
    #expect(sound.residentBytes == 3_000 * 4)
  }

  @Test(arguments: [Format.wav8, .wav16, .flac], [1, 2]) func whatIsNoMoreThan16BitsIsKeptAsThatAndIsTheFile(
    format: Format, channels: Int
  ) throws {
    let path = directory.sound(format, rate: 48_000, channels: channels, frames: 3_001, signal: busySignal)
    let sound = try LoadedSound(path: path, rate: 48_000)
    guard case .int16 = sound.source(loop: false).samples else {
      Issue.record("it is kept as floats")
      return
    }
    #expect(Int(bitPattern: sound.source(loop: false).samples.address) % 64 == 0)
    #expect(sound.residentBytes == 3_001 * 4)
    let file = sequentialDecode(path)
    #expect(samples(sound, loop: false) == (channels == 2 ? file : file.flatMap { [$0, $0] }))
    #expect(samples(sound, loop: true) == samples(sound, loop: false))
  }

  @Test(arguments: [(Format.wav24, 48_000), (.wav, 48_000), (.ogg, 48_000), (.wav16, 44_100)])
  func whatIsMoreThan16BitsOrResampledIsKeptAsFloats(format: Format, rate: Int) throws {
    let path = directory.sound(format, rate: rate, channels: 2, frames: 3_000, signal: busySignal)
    let sound = try LoadedSound(path: path, rate: 48_000)
    guard case .float = sound.source(loop: false).samples else {
      Issue.record("it is kept as integers")
      return
    }
    if rate == 48_000 { #expect(samples(sound, loop: false) == sequentialDecode(path)) }
  }

  /// One sample among many decides, wherever it is: by what the library says stands for an integer.
  @Test(
    arguments: [
      0, -0.0, 0x1p-15, -0x1p-15, 0x1p-16, 1.5 * 0x1p-15, 32_767 * 0x1p-15, 32_767.5 * 0x1p-15, -1, -1 - 0x1p-15, 1e-9,
      -1e-9,
      0x1.fffffep-2, 300,
    ] as [Float])
  func whatIsExactIn16BitsIsWhatTheLibraryHoldsForThat(odd: Float) throws {
    for place in [0, 5_000, 9_999] {
      let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 10_000) { frame, _ in
        frame == place ? odd : 0.25
      }
      let sound = try LoadedSound(path: path, rate: 48_000)
      let isKeptAs16Bits = if case .int16 = sound.source(loop: false).samples { true } else { false }
      #expect(isKeptAs16Bits == (Int16(exactly: odd * 0x1p15) != nil), "at \(place)")
      #expect(samples(sound, loop: false)[2 * place] == odd)
    }
  }

  @Test func fullScaleAboveTheIntegersIsKept() throws {
    // 1 is one more than the greatest 16-bit integer stands for.
    for (peak, bytes) in [(1 as Float, 8), (-1, 4)] {
      let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 9) { frame, _ in frame == 7 ? peak : 0.25 }
      let sound = try LoadedSound(path: path, rate: 48_000)
      #expect(samples(sound, loop: false)[15] == peak && sound.residentBytes == 9 * bytes)
    }
  }

  @Test func aResampledSoundLoopsWithoutASeam() throws {
    let path = directory.sound(.wav, rate: 44_100, channels: 2, frames: 4_410) { frame, _ in
      sine(1_000, 0.5, at: frame, rate: 44_100)
    }
    let sound = try LoadedSound(path: path, rate: 48_000)
    let source = sound.source(loop: true)
    let heard = samples(sound, loop: true)
    #expect(source.loopEnd == source.frames)
    #expect(source.loopEnd - source.loopStart == 4_800)
    let turns = (0..<14_400).map { (position: Int) -> Float in
      let behind = position - source.loopEnd
      return heard[2 * (behind < 0 ? position : source.loopStart + behind % 4_800)]
    }
    #expect((200..<14_400).allSatisfy { abs(turns[$0] - sine(1_000, 0.5, at: $0, rate: 48_000)) < 1e-5 })
  }

  @Test func aSoundThatFadesAtBothEndsIsKeptOnce() throws {
    let path = directory.sound(.wav, rate: 44_100, channels: 2, frames: 4_410) { frame, _ in
      frame < 500 || frame > 3_900 ? 0 : sine(440, 0.5, at: frame, rate: 44_100)
    }
    let sound = try LoadedSound(path: path, rate: 48_000)
    #expect(sound.source(loop: true).samples.address == sound.source(loop: false).samples.address)
    #expect(sound.loop == 0..<4_800)
    #expect(sound.residentBytes == 4_800 * 8)
  }

  @Test func aSoundsOwnLoopPointsAreKept() throws {
    let path = directory.bytes("own.wav", wav(frames: 4_410, smpl: [(type: 0, start: 441, end: 2_204)]))
    let same = try LoadedSound(path: path, rate: 44_100).source(loop: true)
    #expect(same.loopStart == 441)
    #expect(same.loopEnd == 2_205)
    #expect(same.frames == 4_410)
    let resampled = try LoadedSound(path: path, rate: 48_000)
    #expect(resampled.loop == 480..<2_400)
    let source = resampled.source(loop: true)
    #expect(source.loopEnd - source.loopStart == 1_920)
  }

  @Test func whatIsTooLongIsAdvisedAsATrack() throws {
    let path = directory.sound(.wav16, rate: 1_000, channels: 1, frames: 1_000 * 60 + 1) { _, _ in 0 }
    let error = #expect(throws: Problem.self) { try LoadedSound(path: path, rate: 48_000) }
    #expect(error?.kind == .tooLong)
    #expect(
      error?.description == "\(path) lasts 60.001 s, too long for a sound (at most 60 s); "
        + "list it under the pack's tracks, which are streamed")
  }
}
