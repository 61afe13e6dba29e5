// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc

/// Where the last page of an Ogg file begins.
enum OggPages {
  /// The frame at which the last page of the Ogg Vorbis file begins; 0 when it has but one page of sound.
  ///
  /// A page tells the frame after its last, but the last page's is cut to the sound's length, so that a decoder that
  /// begins there cannot tell where it is.
  static func lastPageStart(_ file: RegularFile) -> Int64 {
    // A page has at most 65307 bytes.
    let tail = file.bytes(2 * 65_307, from: max(0, file.size - 2 * 65_307))
    var ends: [Int64] = []
    var index = 0
    while let page = nextPage(in: tail, from: index), page + 27 <= tail.count {
      index = page
      let end = (0..<8).reduce(Int64(0)) { $0 | Int64(tail[index + 6 + $1]) << (8 * $1) }
      // -1 says that no sound ends in the page.
      if end >= 0 { ends.append(end) }
      index += 27
    }
    return ends.dropLast().last ?? 0
  }

  /// Where `OggS` and version 0 stand next.
  private static func nextPage(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes -> Int? in
      var index = start
      while index + 5 <= bytes.count, let base = bytes.baseAddress {
        guard let found = memchr(base + index, 0x4F, bytes.count - 4 - index) else { return nil }
        index = UnsafeRawPointer(found) - base
        if memcmp(found, "OggS\0", 5) == 0 { return index }
        index += 1
      }
      return nil
    }
  }
}
