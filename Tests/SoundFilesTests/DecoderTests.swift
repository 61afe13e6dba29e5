// SPDX-License-Identifier: Apache-2.0

import CSoundFile
import Testing

@testable import SoundFiles

@Suite struct DecoderTests {
  let directory = TestDirectory()

  static let files: [(Format, rate: Int, channels: Int)] = [
    (.wav, 44_100, 2), (.wav16, 22_050, 1), (.flac, 48_000, 2), (.flac, 44_100, 1), (.ogg, 44_100, 2),
    (.ogg, 22_050, 1), (.opus, 48_000, 2), (.opus, 24_000, 1), (.mp3, 44_100, 1), (.mp3, 24_000, 2),
  ]

  @Test(arguments: files) func everyFormatGivesAsManyFramesAsWereWritten(
    format: Format, rate: Int, channels: Int
  ) throws {
    let path = directory.sound(format, rate: rate, channels: channels, frames: 12_347, signal: busySignal)
    var decoder = try Decoder.open(path: path)
    #expect(decoder.frames == 12_347)
    #expect(decoder.rate == rate)
    #expect(decoder.channels == channels)
    #expect(try decoder.readAll().count == 2 * 12_347)
  }

  @Test func floatWavComesBackToTheBit() throws {
    let path = directory.sound(.wav, rate: 44_100, channels: 2, frames: 5_000, signal: busySignal)
    var decoder = try Decoder.open(path: path)
    let expected = (0..<5_000).flatMap { [busySignal($0, 0), busySignal($0, 1)] }
    #expect(try decoder.readAll() == expected)
  }

  @Test(arguments: [1, 2]) func samplesTooGreatForSoundAreSilenceAndStayFiniteWhenResampled(channels: Int) throws {
    let path = directory.sound(.wav, rate: 44_100, channels: channels, frames: 1_000) { frame, _ in
      frame % 2 == 0 ? 3e38 : frame == 501 ? 0x1p20 : -3e38
    }
    var decoder = try Decoder.open(path: path)
    let samples = try decoder.readAll()
    #expect(samples.indices.filter { samples[$0] != 0 } == [1_002, 1_003])
    #expect(samples[1_002] == 0x1p20)
    let sound = try LoadedSound(path: path, rate: 48_000)
    withExtendedLifetime(sound) {
      let source = sound.source(loop: false)
      #expect((0..<(2 * source.frames)).allSatisfy { source.samples[$0].isFinite })
    }
  }

  @Test func flacComesBackWithinHalfAStepOf16Bits() throws {
    let path = directory.sound(.flac, rate: 48_000, channels: 2, frames: 5_000, signal: busySignal)
    var decoder = try Decoder.open(path: path)
    let expected = (0..<5_000).flatMap { [busySignal($0, 0), busySignal($0, 1)] }
    #expect(greatestDifference(try decoder.readAll(), expected) <= 1.01 / 32_768)
  }

  @Test(arguments: [Format.ogg, .opus, .mp3]) func lossyFormatsSoundLikeWhatWasWrittenWithoutDelay(
    format: Format
  ) throws {
    let path = directory.sound(format, rate: 48_000, channels: 2, frames: 24_000) { frame, _ in
      sine(440, 0.5, at: frame, rate: 48_000)
    }
    var decoder = try Decoder.open(path: path)
    let samples = try decoder.readAll()
    let difference = (4_000..<20_000).map { samples[2 * $0] - sine(440, 0.5, at: $0, rate: 48_000) }
    // One frame of delay alone would make 0.029.
    #expect(difference.allSatisfy { abs($0) < 0.02 })
  }

  @Test func monoIsHeardOnBothSidesAtUnity() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 1, frames: 9_000, signal: busySignal)
    var decoder = try Decoder.open(path: path)
    #expect(try decoder.readAll() == (0..<9_000).flatMap { [busySignal($0, 0), busySignal($0, 0)] })
  }

  @Test(arguments: files) func seekingGivesWhatASequentialDecodeHasThere(
    format: Format, rate: Int, channels: Int
  ) throws {
    let frames = 70_001
    // A pure sweep lets an MPEG encoder save bits up for later, which a seek then misses.
    let path = directory.sound(
      format, rate: rate, channels: channels, frames: frames, signal: format == .mp3 ? sweep : busySignal)
    let all = sequentialDecode(path)
    var decoder = try Decoder.open(path: path)
    for target in [44_100, 1, 0, 69_990, 70_000, 12_345, 12_400, 60_000, 65_792, 0, 3, 70_001, 59_999] {
      try decoder.seek(to: Int64(target))
      #expect(decoder.position == Int64(target))
      let got = try decoder.readSome(600)
      let end = min(frames, target + 600)
      let expected = (target..<end).flatMap { (frame: Int) -> [Float] in
        let first = frame * channels
        return [all[first], all[first + channels - 1]]
      }
      #expect(greatestDifference(got, expected) <= (format == .mp3 ? 2e-7 : 0), "at frame \(target)")
    }
  }

  @Test func seekingOutsideTheFileGoesToItsEnds() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 100, signal: busySignal)
    var decoder = try Decoder.open(path: path)
    try decoder.seek(to: 5_000)
    #expect(decoder.position == 100)
    #expect(try decoder.readSome(10).isEmpty)
    try decoder.seek(to: -5)
    #expect(decoder.position == 0)
  }

  @Test func samplesThatAreNoNumbersBecomeSilence() throws {
    let path = directory.sound(.wav, rate: 48_000, channels: 2, frames: 4) { frame, channel in
      [[0.5, .nan], [.infinity, 0.25], [-.infinity, -.nan], [1.5, -1]][frame][channel]
    }
    var decoder = try Decoder.open(path: path)
    #expect(try decoder.readAll() == [0.5, 0, 0, 0.25, 0, 0, 1.5, -1])
  }

  @Test func mpegWithoutItsLengthFrameIsCounted() throws {
    let whole = directory.sound(.mp3, rate: 44_100, channels: 2, frames: 30_000, signal: busySignal)
    var bytes = directory.contents("mp3-44100-2-30000")
    let names = ["Xing", "Info"].map { Array($0.utf8) }
    let tag = try #require((0..<1_000).first { i in names.contains { bytes[i...].starts(with: $0) } })
    for i in tag..<(tag + 4) { bytes[i] = 0 }
    let path = directory.bytes("bare.mp3", bytes)
    var decoder = try Decoder.open(path: path)
    #expect(decoder.frames >= 30_000 && decoder.frames % 1_152 == 0)
    #expect(Int64(try decoder.readAll().count / 2) == decoder.frames)
    #expect(try Decoder.open(path: whole).frames == 30_000)
  }

  @Test func loopPointsOfAWavAreRead() throws {
    // A smpl chunk's end is the last frame played; ours is the one after it.
    let path = directory.bytes("loop.wav", wav(frames: 1_000, smpl: [(type: 0, start: 100, end: 499)]))
    #expect(try Decoder.open(path: path).fileLoop == 100..<500)
  }

  @Test func loopsThatCannotBePlayedForwardAreIgnored() throws {
    let pingPong = directory.bytes("pingpong.wav", wav(frames: 1_000, smpl: [(type: 1, start: 100, end: 499)]))
    let outside = directory.bytes("outside.wav", wav(frames: 1_000, smpl: [(type: 0, start: 100, end: 1_000)]))
    let plain = directory.bytes("plain.wav", wav(frames: 1_000, smpl: []))
    #expect(try Decoder.open(path: pingPong).fileLoop == nil)
    #expect(try Decoder.open(path: outside).fileLoop == nil)
    #expect(try Decoder.open(path: plain).fileLoop == nil)
  }
}

extension Decoder {
  mutating func readSome(_ frames: Int) throws -> [Float] {
    var samples = [Float](repeating: -9, count: 2 * frames)
    let got = try samples.withUnsafeMutableBufferPointer { buffer in
      try self.read(into: buffer.baseAddress!, frames: frames)
    }
    return Array(samples.prefix(2 * got))
  }

  /// To the end, in pieces of an odd size.
  mutating func readAll() throws -> [Float] {
    var samples: [Float] = []
    while case let piece = try readSome(1_777), !piece.isEmpty { samples += piece }
    return samples
  }
}

/// A mono 16-bit 44.1 kHz WAV, byte by byte; `missing` bytes of its data are left away.
func wav(frames: Int, smpl: [(type: UInt32, start: UInt32, end: UInt32)] = [], missing: Int = 0) -> [UInt8] {
  func le32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  func le16(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }
  var body = Array("WAVEfmt ".utf8) + le32(16) + le16(1) + le16(1) + le32(44_100) + le32(88_200) + le16(2) + le16(16)
  if !smpl.isEmpty {
    body += Array("smpl".utf8) + le32(UInt32(36 + 24 * smpl.count))
    body += [0, 0, 22_675, 60, 0, 0, 0, UInt32(smpl.count), 0].flatMap(le32)
    for loop in smpl { body += [0, loop.type, loop.start, loop.end, 0, 0].flatMap(le32) }
  }
  body += Array("data".utf8) + le32(UInt32(2 * frames))
  body += (0..<frames).flatMap { le16(UInt16($0 % 20_000)) }
  return Array("RIFF".utf8) + le32(UInt32(body.count)) + body.dropLast(missing)
}
