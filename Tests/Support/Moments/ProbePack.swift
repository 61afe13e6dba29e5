// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A pack of the project with a marker in place of each sound: noise that is a function of the sound's name, so that
/// what is heard can be told from everything else, to the frame.
package struct ProbePack {
  /// The folder that the packs are read from; a test of the tests puts another there.
  package static var patterns: String {
    ProcessInfo.processInfo.environment["STARLIGHT_PATTERNS"] ?? Repository.path + "/Patterns"
  }

  package let folder: String
  private let markers: [String: [Float]]

  /// Copies the pack that the table names into `directory`/packs. Every file that its manifest names becomes a marker of the
  /// *file's* name, which is that of the sound.
  package init(_ table: MomentTable, in directory: String) throws {
    folder = directory + "/packs"
    let pack = folder + "/" + table.pack
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.patterns + "/" + table.pack, toPath: pack)
    var markers: [String: [Float]] = [:]
    for name in table.sounds {
      // What is spoken is heard yet as the music begins that comes after it.
      let frames = table.voices?.contains(name) == true ? 28_800 : 4_800
      markers[name] = Self.marker(name, frames: frames + Self.extraFrames(name))
    }
    for (name, track) in table.tracks {
      // A stem is as long as its track.
      for file in [name] + (track.stems ?? [:]).values.map(\.file) {
        markers[file] = Self.marker(file, frames: 144_000 + Self.extraFrames(name), size: 1_500)
      }
    }
    for (name, marker) in markers {
      try WaveFile.write(pack + "/\(name).wav", seconds: (Double(marker.count) + 0.5) / 48_000) {
        Double(marker[$0])
      }
    }
    self.markers = markers
  }

  /// Leaves cues out of what the chapters of a pack answer with, which the daemon does by itself.
  package func leaveOut(_ cues: Set<String>, of pack: String) throws {
    let path = URL(filePath: folder + "/\(pack)/pack.json")
    let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    let changed = text.replacing(#/"feedback": \{(?<answers>[^}]*)\}/#) { found in
      let answers = found.output.answers.split(separator: ",").filter { answer in
        !cues.contains { answer.contains(": \"\($0)\"") }
      }
      return "\"feedback\": {" + answers.joined(separator: ",") + "}"
    }
    guard changed != text else { throw ProcessFailure("no chapter of \(pack) answers with \(cues.sorted())") }
    try Data(changed.utf8).write(to: path)
  }

  /// The samples of a sound, a track or the file of a stem; none of what the table does not name.
  package func marker(_ name: String) -> [Float] { markers[name] ?? [] }

  /// Of all lengths no two are alike.
  private static func extraFrames(_ name: String) -> Int { Int(seed(name) % 997) }

  private static func seed(_ name: String) -> UInt32 {
    name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } | 1
  }

  /// Loud enough to be told, soft enough that all of them together stay below the limiter: a tenth of a second of a sound, six of
  /// what is spoken, three seconds and a bit of a track.
  private static func marker(_ name: String, frames: Int, size: Int32 = 3_000) -> [Float] {
    var state = seed(name)
    // Of millions of samples: a loop is quick also where nothing is optimised.
    return [Float](unsafeUninitializedCapacity: frames) { buffer, count in
      while count < frames {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        buffer[count] = Float(Int32(bitPattern: state) % size) / 32_768
        count += 1
      }
    }
  }
}
