// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A pack of the project with a marker in place of each sound: noise that is a function of the sound's name, so that
/// what is heard can be told from everything else, to the frame.
struct ProbePack {
  /// The folder that the packs are read from; a test of the tests puts another there.
  static var patterns: String {
    ProcessInfo.processInfo.environment["STARLIGHT_PATTERNS"] ?? TestPack.repository + "/Patterns"
  }

  let folder: String
  private let markers: [String: [Float]]

  /// Copies the pack that the table names into `directory`/packs. Every file that its manifest names becomes a marker of the
  /// *file's* name, which is that of the sound.
  init(_ table: MomentTable, in directory: String) throws {
    folder = directory + "/packs"
    let pack = folder + "/" + table.pack
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.patterns + "/" + table.pack, toPath: pack)
    var markers: [String: [Float]] = [:]
    for name in table.sounds + table.tracks.keys {
      let marker = Self.marker(name, isTrack: table.tracks[name] != nil)
      markers[name] = marker
      try TestPack.writeWave(pack + "/\(name).wav", seconds: (Double(marker.count) + 0.5) / 48_000) {
        Double(marker[$0])
      }
    }
    self.markers = markers
  }

  /// The samples of a sound or track; none of what the table does not name.
  func marker(_ name: String) -> [Float] { markers[name] ?? [] }

  /// Loud enough to be told, soft enough that all of them together stay below the limiter: a tenth of a second of a sound,
  /// three seconds and a bit of a track.
  private static func marker(_ name: String, isTrack: Bool) -> [Float] {
    var state = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } | 1
    let size: Int32 = isTrack ? 1_500 : 3_000
    // Of all lengths no two are alike.
    let frames = (isTrack ? 144_000 : 4_800) + Int(state % 997)
    return (0..<frames).map { _ in
      state ^= state << 13
      state ^= state >> 17
      state ^= state << 5
      return Float(Int32(bitPattern: state) % size) / 32_768
    }
  }
}
