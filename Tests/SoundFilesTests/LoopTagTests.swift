// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SoundFiles

@Suite struct LoopTagTests {
  let directory = TestDirectory()

  func tags(_ values: KeyValuePairs<String, Int>) -> [(name: String, value: String)] {
    values.map { ($0.key, digits($0.value, for: $0.key)) }
  }

  @Test(arguments: [Format.flac, .ogg, .opus]) func startAndLengthAreRead(format: Format) throws {
    let path = directory.tagged(
      format, rate: 48_000, frames: 20_000, tags: tags(["LOOPSTART": 4_000, "LOOPLENGTH": 12_345]))
    #expect(try Decoder.open(path: path).fileLoop == 4_000..<16_345)
    let track = try StreamedTrack(path: path, rate: 48_000)
    #expect(track.loop == 4_000..<16_345)
    #expect(try StreamedTrack(path: path, rate: 48_000, loop: .wholeFile).loop == 0..<20_000)
    #expect(try LoadedSound(path: path, rate: 48_000).loop == 4_000..<16_345)
  }

  @Test(arguments: [Format.flac, .ogg]) func otherRatesAreScaledLikeThePointsOfAWav(format: Format) throws {
    let path = directory.tagged(
      format, rate: 44_100, frames: 20_000, tags: tags(["LOOPSTART": 441, "LOOPEND": 4_851]))
    #expect(try Decoder.open(path: path).fileLoop == 441..<4_851)
    #expect(try StreamedTrack(path: path, rate: 48_000).loop == 480..<5_280)
  }

  @Test func tagsOfOpusCountFramesOf48kHz() throws {
    let path = directory.tagged(
      .opus, rate: 24_000, frames: 20_000, tags: tags(["LOOPSTART": 4_800, "LOOPLENGTH": 24_000]))
    #expect(try Decoder.open(path: path).fileLoop == 2_400..<14_400)
    #expect(try StreamedTrack(path: path, rate: 48_000).loop == 4_800..<28_800)
  }

  @Test func aStartAloneLoopsToTheEndAndALengthGoesBeforeAnEnd() throws {
    let alone = directory.tagged(.ogg, rate: 48_000, frames: 9_000, tags: tags(["LOOPSTART": 1_000]))
    #expect(try Decoder.open(path: alone).fileLoop == 1_000..<9_000)
    let both = directory.tagged(
      .flac, rate: 48_000, frames: 9_000, tags: tags(["LOOPSTART": 1_000, "LOOPEND": 5_000, "LOOPLENGTH": 3_000]))
    #expect(try Decoder.open(path: both).fileLoop == 1_000..<4_000)
  }

  @Test func lowerCaseNamesAreTheSameTags() throws {
    let path = directory.tagged(
      .ogg, rate: 48_000, frames: 9_000, tags: tags(["loopstart": 1_000, "LoopLength": 500]))
    #expect(try Decoder.open(path: path).fileLoop == 1_000..<1_500)
  }

  @Test func theLoopIsHeardToTheSample() throws {
    let path = directory.tagged(
      .flac, rate: 48_000, frames: 20_000, tags: tags(["LOOPSTART": 4_000, "LOOPLENGTH": 6_000]))
    let all = sequentialDecode(path)
    let track = try StreamedTrack(path: path, rate: 48_000, headSeconds: 0.5)
    for frame in [0, 9_999, 10_000, 15_999, 16_000, 23_999] {
      let source = frame < 10_000 ? frame : 4_000 + (frame - 4_000) % 6_000
      #expect(track.head.samples[2 * frame] == all[2 * source], "frame \(frame)")
    }
  }

  @Test(
    arguments: [
      ["LOOPSTART": 9_000], ["LOOPSTART": 8_000, "LOOPLENGTH": 1_001], ["LOOPSTART": 100, "LOOPLENGTH": 0],
      ["LOOPSTART": 100, "LOOPEND": 100], ["LOOPLENGTH": 500], ["LOOPSTART": 1, "LOOPEND": 99_999_999_999_999],
    ] as [KeyValuePairs<String, Int>])
  func whatDoesNotLieInsideTheFileIsNoLoop(values: KeyValuePairs<String, Int>) throws {
    let path = directory.tagged(.flac, rate: 48_000, frames: 9_000, tags: tags(values))
    #expect(try Decoder.open(path: path).fileLoop == nil)
    #expect(try StreamedTrack(path: path, rate: 48_000).loop == 0..<9_000)
  }

  @Test func whatIsNoWholeNumberIsNone() {
    for text in ["", "-1", "+1", " 12", "1.5", "0x10", "1e3", "1234567890123456789", "12\u{301}", "٣"] {
      #expect(LoopTags.number(text) == nil, "\(text)")
    }
    #expect(LoopTags.number("000000000000441") == 441)
  }
}
