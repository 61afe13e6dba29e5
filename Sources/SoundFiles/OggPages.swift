/// Where the last page of an Ogg file begins.
enum OggPages {
  /// The frame at which the last page of the Ogg Vorbis file at `path` begins; 0 when it has but one page of sound.
  ///
  /// A page tells the frame after its last, but the last page's is cut to the sound's length, so that a decoder that
  /// begins there cannot tell where it is.
  static func lastPageStart(_ path: String) -> Int64 {
    // A page has at most 65307 bytes.
    let tail = FileInspection.lastBytes(of: path, count: 2 * 65_307)
    var ends: [Int64] = []
    var index = 0
    while index + 27 <= tail.count {
      guard tail[index...].starts(with: [0x4F, 0x67, 0x67, 0x53, 0]) else {
        index += 1
        continue
      }
      let end = (0..<8).reduce(Int64(0)) { $0 | Int64(tail[index + 6 + $1]) << (8 * $1) }
      // -1 says that no sound ends in the page.
      if end >= 0 { ends.append(end) }
      index += 27
    }
    return ends.dropLast().last ?? 0
  }
}
