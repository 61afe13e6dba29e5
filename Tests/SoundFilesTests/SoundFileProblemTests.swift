// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems
import Testing

@testable import SoundFiles

@Suite struct SoundFileProblemTests {
  let directory = TestDirectory()

  func refusal(_ path: String) -> Problem? {
    #expect(throws: Problem.self) { try StreamedTrack(path: path, rate: 48_000) }
  }

  @Test func aMissingFile() {
    let error = refusal(directory("none.wav"))
    #expect(error?.kind == .missing)
    #expect(error?.where.file == directory("none.wav"))
    #expect(error?.description == "\(directory("none.wav")) does not exist; check its name")
  }

  @Test func aDirectory() {
    let error = refusal(directory.path)
    #expect(error?.kind == .notAFile)
    #expect(
      error?.description == "\(directory.path) is a directory; name a sound file (WAV, FLAC, Ogg Vorbis, Opus or MP3)")
  }

  @Test func aPipeIsRefusedInsteadOfWaitedFor() {
    mkfifo(directory("pipe"), 0o600)
    #expect(refusal(directory("pipe"))?.kind == .notAFile)
  }

  @Test func anEmptyFile() {
    let path = directory.bytes("empty.ogg", [])
    let error = refusal(path)
    #expect(error?.kind == .empty)
    #expect(error?.description == "\(path) is empty (0 bytes); export or copy it again")
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything")) func aFileThatMayNotBeRead() {
    let path = directory.bytes("secret file.wav", wav(frames: 100))
    chmod(path, 0)
    let error = refusal(path)
    #expect(error?.kind == .unreadable)
    #expect(error?.description == "\(path) may not be read (permission denied); allow it: chmod a+r '\(path)'")
  }

  @Test func whatIsNoSound() {
    let path = directory.bytes("notes.wav", Array("dear diary, today I wrote no music at all".utf8))
    let error = refusal(path)
    #expect(error?.kind == .notAudio)
    #expect(
      error?.description == "\(path) is not a sound file that can be read; use WAV, FLAC, Ogg Vorbis, Opus or MP3")
  }

  @Test func aHeaderWithoutSound() {
    let path = directory.bytes("silent.wav", wav(frames: 0))
    let error = refusal(path)
    #expect(error?.kind == .empty)
    #expect(error?.description == "\(path) has a header but no sound in it; export it again")
  }

  @Test(arguments: [
    ("song.m4a", [0, 0, 0, 32] + Array("ftypM4A ".utf8), "an MPEG-4 file (AAC or ALAC)"),
    ("song.aac", [0xFF, 0xF1, 0x50, 0x80, 0, 0, 0, 0], "an AAC stream"),
    ("song.wma", [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "Windows Media"),
    ("song.webm", [0x1A, 0x45, 0xDF, 0xA3, 0, 0, 0, 0], "Matroska or WebM"),
    ("song.wv", Array("wvpk".utf8) + [0, 0, 0, 0], "WavPack"),
  ]) func foreignFormatsComeWithTheCommandThatConvertsThem(name: String, bytes: [UInt8], format: String) {
    let path = directory.bytes(name, bytes + [UInt8](repeating: 0, count: 100))
    let error = refusal(path)
    #expect(error?.kind == .unsupported)
    #expect(
      error?.description
        == "\(path) is \(format), which is not read; have `starlight pack import` convert it, which takes off what the "
        + "encoder put around it, or: ffmpeg -i \(path) \(directory("song.flac"))")
  }

  @Test func theConversionCommandCanBePastedIntoAShell() {
    let path = directory.bytes("it's my song.m4a", [0, 0, 0, 32] + Array("ftypM4A ".utf8))
    let (from, to) = ("'\(directory.path)/it'\\''s my song.m4a'", "'\(directory.path)/it'\\''s my song.flac'")
    #expect(refusal(path)?.description.hasSuffix(", or: ffmpeg -i \(from) \(to)") == true)
  }

  @Test func aWavThatIsCutShort() {
    let path = directory.bytes("short.wav", wav(frames: 1_000, missing: 500))
    let error = refusal(path)
    #expect(error?.kind == .truncated)
    #expect(
      error?.description == "\(path) is cut short: it should hold 2000 bytes of sound and holds 1500; "
        + "copy or export it again")
  }

  @Test(arguments: [Format.flac, .mp3]) func aFileThatEndsBeforeItsHeaderSays(format: Format) {
    _ = directory.sound(format, rate: 48_000, channels: 2, frames: 96_000, signal: busySignal)
    let whole = directory.contents("\(format)-48000-2-96000")
    let path = directory.bytes("cut", Array(whole[..<(whole.count * 2 / 3)]))
    let error = refusal(path)
    #expect(error?.kind == .truncated)
    #expect(error?.description.hasPrefix("\(path) breaks off at ") == true)
    #expect(error?.description.hasSuffix(" of 2.0 s; copy or export it again") == true)
    #expect(throws: Problem.self) { try LoadedSound(path: path, rate: 48_000) }
  }

  @Test func aRateThatCannotBe() {
    var bytes = wav(frames: 100)
    for i in 24..<28 { bytes[i] = 0 }
    bytes[24] = 1
    let path = directory.bytes("slow.wav", bytes)
    #expect(
      refusal(path)?.description == "\(path) has 1 frames a second and 1 channels, which cannot be played; "
        + "export it at 44100 or 48000 Hz in stereo")
  }

  @Test func aLengthThatCannotBe() {
    _ = directory.sound(.flac, rate: 48_000, channels: 2, frames: 4_000, signal: busySignal)
    var bytes = directory.contents("flac-48000-2-4000")
    // The last 36 bits of STREAMINFO's first 18 bytes count the frames.
    bytes[21] |= 0x0F
    for i in 22..<26 { bytes[i] = 0xFF }
    let path = directory.bytes("endless.flac", bytes)
    #expect(
      refusal(path)?.description
        == "\(path) is damaged: it claims to last more than 24 hours; export or copy it again")
  }

  @Test(arguments: Format.allCases) func noDamageMakesTheReaderTrap(format: Format) throws {
    let path = directory.sound(format, rate: 48_000, channels: 2, frames: 30_000, signal: busySignal)
    let whole = directory.contents("\(format)-48000-2-30000")
    for seed in 1...12 {
      var bytes = whole
      for i in 0..<20 {
        bytes[(seed * 7_919 + i * i * 104_729) % bytes.count] ^= UInt8(truncatingIfNeeded: seed * 31 + i)
      }
      if seed % 4 == 0 { bytes.removeLast(bytes.count * seed / 15) }
      _ = directory.bytes("\(format)-48000-2-30000", bytes)
      guard let track = try? StreamedTrack(path: path, rate: 44_100, headSeconds: 0.05) else { continue }
      let feeder = StreamFeeder(rate: 44_100, streams: 1, ringSeconds: 0.2)
      let stream = try feeder.open(track, fromFrame: Int64(seed * 1_000))
      feeder.pump()
      let written = stream.ring.pointee.framesWritten
      #expect(written >= 0)
    }
  }
}
