// SPDX-License-Identifier: Apache-2.0

import Problems

/// What of a Standard MIDI File tells of notes and time (MIDI 1.0, "Standard MIDI Files 1.0", RP-001).
struct MIDIFile {
  /// What a tick is.
  enum Division: Equatable {
    /// So many are a beat.
    case beats(Int)
    /// So many are a frame of film, of which a second has so many.
    case frames(Int, Int)
  }

  /// A chunk of events.
  struct Track {
    var name: String?
    /// In their order, each with the tick it begins at.
    var notes: [(tick: Int64, pitch: UInt8)] = []
    /// Microseconds of a beat, from a tick on.
    var tempos: [(tick: Int64, beat: Int64)] = []
    /// Beats of a bar, where a bar's beats are fourths: what was said, in order.
    var bars: [Int] = []
  }

  let path: String
  private(set) var division = Division.beats(1)
  private(set) var tracks: [Track] = []

  init(_ bytes: [UInt8], path: String) throws(Problem) {
    self.path = path
    var reader = Reader(bytes: bytes[...], path: path)
    guard let head = reader.chunk(), head.kind == Array("MThd".utf8), head.body.count >= 6 else {
      throw Problem(
        .syntax, file: path, "\(path) is no Standard MIDI File: it does not begin with MThd",
        remedy: "export it again as .mid")
    }
    let words = stride(from: 0, to: 6, by: 2).map { index in
      Int(head.body[head.body.startIndex + index]) << 8 | Int(head.body[head.body.startIndex + index + 1])
    }
    guard words[0] <= 1 else {
      throw Problem(
        .unsupported, file: path, "\(path) is a MIDI file of format \(words[0]), of songs that follow one another",
        remedy: "export it as format 0 or 1")
    }
    division =
      words[2] & 0x8000 == 0 ? .beats(words[2]) : .frames(256 - (words[2] >> 8), words[2] & 0xFF)
    switch division {
    case .beats(1...): break
    case .frames(24, 1...), .frames(25, 1...), .frames(29, 1...), .frames(30, 1...): break
    default:
      throw Problem(
        .invalidValue, file: path, "\(path) has a division of \(words[2]), by which nothing has a time",
        remedy: "export it again")
    }
    while let chunk = reader.chunk() {
      if chunk.kind == Array("MTrk".utf8) { tracks.append(try Self.track(chunk.body, path)) }
    }
  }

  private static func track(_ body: ArraySlice<UInt8>, _ path: String) throws(Problem) -> Track {
    var reader = Reader(bytes: body, path: path)
    var track = Track()
    var (tick, running) = (Int64(0), UInt8(0))
    while !reader.isAtEnd {
      tick += Int64(try reader.number())
      var status = try reader.peek()
      if status >= 0x80 {
        _ = try reader.byte()
        // Of messages alone, not of what is between them.
        running = status < 0xF0 ? status : 0
      } else {
        guard running != 0 else { throw reader.broken("data without a status") }
        status = running
      }
      switch status {
      case 0x80..<0xC0, 0xE0..<0xF0:
        let (pitch, velocity) = (try reader.byte(), try reader.byte())
        if status & 0xF0 == 0x90, velocity > 0 { track.notes.append((tick, pitch & 0x7F)) }
      case 0xC0..<0xE0: _ = try reader.byte()
      case 0xF0, 0xF7: _ = try reader.bytes(try reader.number())
      case 0xFF:
        let kind = try reader.byte()
        let data = try reader.bytes(try reader.number())
        let first = data.startIndex
        switch (kind, data.count) {
        case (0x2F, _): return track
        case (0x03, 1...): track.name = track.name ?? String(decoding: data.prefix(200), as: UTF8.self)
        case (0x51, 3):
          let beat = Int64(data[first]) << 16 | Int64(data[first + 1]) << 8 | Int64(data[first + 2])
          guard beat > 0 else { throw reader.broken("a tempo of no time") }
          track.tempos.append((tick, beat))
        case (0x58, 2...):
          // Eighths and the like count as parts of fourths, which the tempo counts in.
          let fourths = Int(data[first]) * 4
          let parts = 1 << min(Int(data[first + 1]), 10)
          track.bars.append(fourths % parts == 0 ? fourths / parts : 0)
        default: break
        }
      default: throw reader.broken("status \(status), which no file has")
      }
    }
    return track
  }

  /// Goes through bytes; what ends early, or goes on beyond its end, is told.
  private struct Reader {
    var bytes: ArraySlice<UInt8>
    let path: String

    var isAtEnd: Bool { bytes.isEmpty }

    /// A chunk: four letters, a length, and as much of its body as there is.
    mutating func chunk() -> (kind: [UInt8], body: ArraySlice<UInt8>)? {
      guard bytes.count >= 8 else { return nil }
      let start = bytes.startIndex
      let length = bytes[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | Int($1) }
      let kind = Array(bytes[start..<(start + 4)])
      let body = bytes.dropFirst(8).prefix(length)
      bytes = bytes.dropFirst(8 + length)
      return (kind, body)
    }

    mutating func byte() throws(Problem) -> UInt8 {
      guard let byte = bytes.popFirst() else { throw broken("a track that breaks off") }
      return byte
    }

    func peek() throws(Problem) -> UInt8 {
      guard let byte = bytes.first else { throw broken("a track that breaks off") }
      return byte
    }

    mutating func bytes(_ count: Int) throws(Problem) -> ArraySlice<UInt8> {
      guard count <= bytes.count else { throw broken("a track that breaks off") }
      defer { bytes = bytes.dropFirst(count) }
      return bytes.prefix(count)
    }

    /// A number of up to four bytes of seven bits.
    mutating func number() throws(Problem) -> Int {
      var value = 0
      for _ in 0..<4 {
        let byte = try byte()
        value = value << 7 | Int(byte & 0x7F)
        if byte < 0x80 { return value }
      }
      throw broken("a number of more than four bytes")
    }

    func broken(_ what: String) -> Problem {
      Problem(
        .syntax, file: path, "\(path) is damaged: at byte \(bytes.startIndex) is \(what)", remedy: "export it again")
    }
  }
}
