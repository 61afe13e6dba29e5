// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

/// Files of boxes typed by ISO/IEC 14496-12.
@Suite struct MPEG4LengthTests {
  private func word(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

  private func box(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
    let body = parts.flatMap(\.self)
    return word(body.count + 8) + Array(kind.utf8) + body
  }

  /// A sound of 44 100 Hz: frames as its table has them, and an edit list.
  private func file(
    table: [(count: Int, length: Int)], clock: Int = 44_100, movie: Int = 1_000, edits: [(Int, Int)] = []
  ) -> [UInt8] {
    let stts = box("stts", word(0), word(table.count), table.flatMap { word($0.count) + word($0.length) })
    let elst = box("elst", word(0), word(edits.count), edits.flatMap { word($0.0) + word($0.1) + word(0x10000) })
    let media = box(
      "mdia", box("mdhd", word(0), word(0), word(0), word(clock), word(0), word(0)),
      box("hdlr", word(0), word(0), Array("soun".utf8), [UInt8](repeating: 0, count: 13)),
      box("minf", box("stbl", stts)))
    let track = box("trak", edits.isEmpty ? [] : box("edts", elst), media)
    let head = box("mvhd", word(0), word(0), word(0), word(movie), word(0))
    return box("ftyp", Array("M4A ".utf8), word(0)) + box("mdat", [1, 2, 3]) + box("moov", head, track)
  }

  private func length(_ bytes: [UInt8]) -> MPEG4Length? {
    MPEG4Length(size: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
  }

  private func frames(_ bytes: [UInt8], rate: Int = 44_100, gapless: String? = nil) -> Int64? {
    length(bytes)?.frames(rate: rate, gapless: gapless)
  }

  @Test func theTableCountsWhereTheEditListsClockIsCoarse() {
    // As ffmpeg has it: 98 frames of 1024 and one of 672, of which 1024 are skipped; 2268 ms are rounded.
    let table = [(98, 1_024), (1, 672)]
    #expect(frames(file(table: table, edits: [(2_268, 1_024)])) == 100_000)
    #expect(frames(file(table: table, edits: [(2_267, 1_024)])) == 100_000)
    // A length of nothing is all that there is (8.6.6).
    #expect(frames(file(table: table, edits: [(0, 1_024)])) == 100_000)
    // A pause before it is passed over.
    #expect(frames(file(table: table, edits: [(5, 0xFFFF_FFFF), (2_268, 1_024)])) == 100_000)
  }

  @Test func theEditListCountsWhereItKnowsMore() {
    // As Apple has it: whole frames, and an edit list by the sound's own clock.
    let table = [(100, 1_024)]
    #expect(frames(file(table: table, movie: 44_100, edits: [(100_000, 2_112)])) == 100_000)
    // It cannot be longer than what is there.
    #expect(frames(file(table: table, movie: 44_100, edits: [(200_000, 2_112)])) == 100_288)
  }

  @Test func theNoteOfITunesCountsWhereItFits() {
    let note = " 00000000 00000840 000000C8 000000000001864A 00000000 00000000"
    #expect(MPEG4Length.gapless(note)?.priming == 2_112 && MPEG4Length.gapless(note)?.frames == 99_914)
    #expect(frames(file(table: [(100, 1_024)]), gapless: note) == 99_914)
    #expect(frames(file(table: [(100, 1_024)], edits: [(2_270, 2_112)]), gapless: note) == 99_914)
    // Of another beginning than the edit list's it is not true.
    #expect(frames(file(table: [(98, 1_024), (1, 672)], edits: [(2_268, 1_024)]), gapless: note) == 100_000)
    for wrong in ["", "x y z", " 0 99999999 0 5", " 0 0 0 0", " 00000000 00000840"] {
      #expect(MPEG4Length.gapless(wrong) == nil, "\(wrong)")
    }
  }

  @Test func aClockOfHalfTheRateIsTwiceAsManyFrames() {
    #expect(frames(file(table: [(50, 1_024)], clock: 22_050, edits: [(0, 1_024)])) == 100_352)
    #expect(frames(file(table: [(50, 1_024)], clock: 48_000, edits: [(0, 1_024)])) == nil)
  }

  @Test func whatTellsNothingIsSaidSo() {
    #expect(frames(file(table: [(98, 1_024)])) == nil)
    #expect(frames(file(table: [(98, 1_024)], edits: [(1_000, 0), (1_000, 48_000)])) == nil)
    #expect(length(file(table: [])) == nil)
    #expect(length(Array("RIFF....WAVE".utf8)) == nil)
    #expect(length([]) == nil)
    let whole = file(table: [(98, 1_024)], edits: [(2_268, 1_024)])
    for count in 0..<whole.count { #expect(length(Array(whole[..<count])) == nil, "\(count)") }
    // Every byte at its worst: read, or not, and nothing else.
    for index in whole.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] = value
        _ = frames(bytes)
      }
    }
  }
}
