// SPDX-License-Identifier: Apache-2.0

import ImportedBeats
import Testing

/// Standard MIDI Files, byte by byte by RP-001.
@Suite struct MIDIBeatsTests {
  private func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    let count = body.count
    return Array(kind.utf8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + body
  }

  private func file(format: UInt8 = 1, division: [UInt8] = [0, 96], _ tracks: [UInt8]...) -> [UInt8] {
    chunk("MThd", [0, format, 0, UInt8(tracks.count)] + division) + tracks.flatMap { chunk("MTrk", $0) }
  }

  private let end: [UInt8] = [0, 0xFF, 0x2F, 0]

  private func beats(_ bytes: [UInt8]) throws -> ImportedBeats {
    try ImportedBeats.read(bytes, as: .midi, path: "file")
  }

  @Test func theExampleOfTheStandardIsRead() throws {
    // RP-001's example of format 0: 4/4, 500000 microseconds a beat, 96 ticks a beat, four notes on channels 0, 1 and 2.
    let track: [UInt8] =
      [
        0x00, 0xFF, 0x58, 0x04, 0x04, 0x02, 0x18, 0x08, 0x00, 0xFF, 0x51, 0x03, 0x07, 0xA1, 0x20, 0x00, 0xC0, 0x05,
        0x00, 0xC1,
        0x2E, 0x00, 0xC2, 0x46, 0x00, 0x92, 0x30, 0x60, 0x00, 0x3C, 0x60, 0x60, 0x91, 0x43, 0x40, 0x60, 0x90, 0x4C,
        0x20,
        0x81, 0x40, 0x82, 0x30, 0x40, 0x00, 0x3C, 0x40, 0x00, 0x81, 0x43, 0x40, 0x00, 0x80, 0x4C, 0x40, 0x00, 0xFF,
        0x2F, 0x00,
      ]
    let read = try beats(file(format: 0, track))
    #expect(read.maps.count == 1)
    #expect(read.maps[0].lanes == ["c3", "c4", "g4", "e5"])
    #expect(read.maps[0].lines == ["0 c3", "0 c4", "500000 g4", "1000000 e5"])
    let tempo = try #require(read.maps[0].tempo)
    #expect(tempo.bpm == 120 && tempo.firstBeat == 0 && tempo.beatsPerBar == 4)
  }

  @Test func temposOfTheFirstTrackHoldForAll() throws {
    // 500000 where nothing is said; from beat 1 on 250000, from beat 2 on 333333 microseconds.
    let tempos: [UInt8] = [0x60, 0xFF, 0x51, 3, 0x03, 0xD0, 0x90, 0x60, 0xFF, 0x51, 3, 0x05, 0x16, 0x15] + end
    let notes: [UInt8] =
      [0, 0xFF, 0x03, 4] + Array("taps".utf8) + [
        0, 0x99, 36, 100, 0x60, 36, 100, 0x30, 36, 0, 0x30, 36, 100, 0x60, 36, 1,
      ] + end
    let read = try beats(file(tempos, notes))
    #expect(read.maps.map(\.name) == ["taps"])
    // One pitch is no lane. A note of no velocity ends one.
    #expect(read.maps[0].lines == ["0", "500000", "750000", "1083333"])
    #expect(read.maps[0].tempo == nil)
  }

  @Test func ticksMayBePartsOfASecond() throws {
    let notes: [UInt8] = [0x00, 0x90, 60, 1, 0x64, 60, 1] + end
    // 25 frames of 40 ticks: a millisecond each.
    #expect(try beats(file(division: [0xE7, 40], notes)).maps[0].lines == ["0", "100000"])
    // 30 frames of 1.001 s in all, of 80 ticks: 100 ticks are 41 708.33 microseconds.
    #expect(try beats(file(division: [0xE3, 80], notes)).maps[0].lines == ["0", "41708"])
    #expect(try beats(file(division: [0xE7, 40], notes)).maps[0].tempo == nil)
  }

  @Test func whatIsBetweenNotesIsPassedOver() throws {
    // A system exclusive message, a pitch bend with running status, an unknown meta event, and a chunk of another kind.
    let notes: [UInt8] =
      [0, 0xF0, 3, 1, 2, 0xF7, 0, 0xE0, 0, 64, 0, 0, 64, 0, 0xFF, 0x7F, 2, 9, 9, 0x60, 0x90, 61, 1] + end
    let read = try beats(chunk("MThd", [0, 0, 0, 1, 0, 96]) + chunk("XFIH", [1, 2, 3]) + chunk("MTrk", notes))
    #expect(read.maps[0].lines == ["500000"])
  }

  @Test func manyPitchesAreNoLanes() throws {
    let notes = (0..<9).flatMap { [0x60, 0x90, 60 + UInt8($0), 1] } + end
    #expect(try beats(file(notes)).maps[0].lanes.isEmpty)
  }

  @Test func whatIsBrokenIsTold() {
    let note: [UInt8] = [0, 0x90, 60, 1]
    func said(_ bytes: [UInt8]) -> String { refusal(of: bytes, as: .midi) }
    #expect(said([]).hasPrefix("file is no Standard MIDI File"))
    #expect(said(Array("RIFF".utf8) + [0, 0, 0, 0]).hasPrefix("file is no Standard MIDI File"))
    #expect(said(file(format: 2, note + end)).hasPrefix("file is a MIDI file of format 2"))
    #expect(said(file(division: [0, 0], note)).hasPrefix("file has a division of 0"))
    #expect(said(file(division: [0x80, 40], note)).hasPrefix("file has a division of 32808"))
    #expect(said(file([0, 60, 1])).contains("data without a status"))
    #expect(said(file([0, 0x90, 60])).contains("a track that breaks off"))
    #expect(said(file([0, 0xFF, 0x03, 0x7F, 1])).contains("a track that breaks off"))
    #expect(said(file([0xFF, 0xFF, 0xFF, 0xFF, 0])).contains("a number of more than four bytes"))
    #expect(said(file([0, 0xF4, 0])).contains("status 244"))
    #expect(said(file([0, 0xFF, 0x51, 3, 0, 0, 0] + note)).contains("a tempo of no time"))
    #expect(said(file(end)).hasPrefix("file has no beats in it"))
    // A tick a beat, and 2^28 of them: four years.
    #expect(said(file(division: [0, 1], [0xFF, 0xFF, 0xFF, 0x7F, 0x90, 60, 1])).contains("more than a day"))
    // A length that promises more than there is counts as what there is.
    #expect(said(Array(file(note).dropLast(4))).hasPrefix("file has no beats in it"))
  }
}
