// SPDX-License-Identifier: Apache-2.0

import CSoundFile

extension TestDirectory {
  /// Writes a file with tags, each of a name and a value of 25 bytes with the sign between.
  ///
  /// libsndfile writes a title, an artist and an album; what stands there is replaced, and the sums of Ogg's pages with it.
  func tagged(_ format: Format, rate: Int, frames: Int, tags: [(name: String, value: String)]) -> String {
    let name = "tagged-\(format)-\(rate)-\(frames)"
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = 2
    info.format = Int32(format.code)
    let file = sf_open(self(name), Int32(SFM_WRITE), &info)!
    let places = [(SF_STR_TITLE, "title"), (SF_STR_ARTIST, "artist"), (SF_STR_ALBUM, "album")]
    let fillers = places.map { $0.1 + "=" + String(repeating: "@", count: 24 - $0.1.utf8.count) }
    for (place, filler) in zip(places, fillers) {
      sf_set_string(file, Int32(place.0), String(filler.drop { $0 != "@" }))
    }
    let samples = (0..<(2 * frames)).map { busySignal($0 / 2, $0 % 2) }
    sf_writef_float(file, samples, sf_count_t(frames))
    sf_close(file)
    var content = contents(name)
    for (tag, filler) in zip(tags, fillers) {
      let entry = Array((tag.name + "=" + tag.value).utf8)
      precondition(entry.count == 25, "a tag has 25 bytes here")
      let start = content.indices.dropLast(25).first { index in
        zip(content[index..<(index + 25)], filler.utf8).allSatisfy { $0 | 0x20 == $1 | 0x20 }
      }!
      content.replaceSubrange(start..<(start + 25), with: entry)
    }
    if format != .flac { Self.sumPages(&content) }
    return bytes(name, content)
  }

  /// Puts the right sum into every page of an Ogg file (RFC 3533, section 6).
  private static func sumPages(_ bytes: inout [UInt8]) {
    var start = 0
    while start + 27 <= bytes.count {
      let segments = Int(bytes[start + 26])
      let end = start + 27 + segments + bytes[(start + 27)..<(start + 27 + segments)].reduce(0) { $0 + Int($1) }
      for index in 22..<26 { bytes[start + index] = 0 }
      var sum: UInt32 = 0
      for byte in bytes[start..<end] {
        sum ^= UInt32(byte) << 24
        for _ in 0..<8 { sum = sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
      }
      for index in 0..<4 { bytes[start + 22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
      start = end
    }
  }
}

/// A value of a tag with that name, as many digits as it takes.
func digits(_ value: Int, for name: String) -> String {
  let text = String(value)
  return String(repeating: "0", count: 24 - name.utf8.count - text.utf8.count) + text
}
