// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The beats of a chapter, as its pack has them: what is composed for them is composed from them.
struct BeatMap: Decodable {
  struct Beat: Decodable {
    /// Seconds from the beginning of the chapter's track.
    var at: Double
    var lane: String

    /// The frame that is heard at its instant.
    var frame: Int { Int((at * Double(rate)).rounded()) }
  }

  var beats: [Beat]

  /// Reads a file of the folder of a pack.
  init(_ file: String, of pack: URL) throws {
    let path = pack.appending(path: file)
    do {
      self = try JSONDecoder().decode(BeatMap.self, from: Data(contentsOf: path))
    } catch {
      throw Fault("\(path.path()) is not there, or no beat map: render into a folder that has the packs of Patterns")
    }
  }
}
