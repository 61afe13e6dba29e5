// SPDX-License-Identifier: Apache-2.0

extension PackManifest {
  /// The most bytes that `pack.list` may tell of one pack: whoever asks has all of it written between other clients' lines.
  public static let mostListedBytes = 192 << 10

  /// What `pack.list` tells of it, in bytes and rather more than less: names with the pack's before them, titles, markers,
  /// stems and lanes.
  public var listedBytes: Int {
    func key(_ name: String) -> Int { self.name.utf8.count + name.utf8.count + 4 }
    var bytes = 300 + Self.written(title)
    for (name, track) in tracks {
      bytes += key(name) + 110
      for marker in track.markers.keys { bytes += marker.utf8.count + 40 }
      for stem in track.stems.keys { bytes += stem.utf8.count + 3 }
    }
    for name in sounds.keys { bytes += key(name) + 60 }
    for name in patterns.keys { bytes += key(name) + 75 }
    for name in cues.keys { bytes += key(name) }
    for name in parameters.keys { bytes += key(name) }
    for (name, chapter) in chapters {
      bytes += key(name) + key(chapter.track) + Self.written(chapter.title) + 95
      for lane in chapter.lanes { bytes += lane.utf8.count + 3 }
    }
    return bytes
  }

  /// How long a text is as JSON.
  private static func written(_ text: String) -> Int {
    text.utf8.reduce(0) { bytes, letter in
      bytes + (letter < 0x20 ? 6 : letter == UInt8(ascii: "\"") || letter == UInt8(ascii: "\\") ? 2 : 1)
    }
  }

  /// Notes that there is more of it than one reply holds.
  func checkListing(_ file: PackFile) {
    let bytes = listedBytes
    guard bytes > Self.mostListedBytes else { return }
    file.note(
      .invalidValue, at: 0,
      "what is told of the pack, its names, titles, markers and lanes, comes to \(bytes) bytes; "
        + "\(Self.mostListedBytes) is the most",
      advice: "make several packs of it, or give shorter names", isBeyondSchema: true)
  }
}
