// SPDX-License-Identifier: Apache-2.0

import Engine
import Files
import GamePacks
import Journal

/// What the files of a pack come to, so that a journal is replayed with the packs that it was written with.
enum PackPrint {
  /// A file of a pack is read up to so many bytes.
  private static let mostBytes = 1 << 31

  /// Of its manifest and of every file that it, or a pattern of it, names.
  static func print(of pack: Catalog.Pack) -> UInt64 {
    let manifest = pack.manifest
    var files: Set<String> = ["pack.json"]
    for track in manifest.tracks.values {
      files.insert(track.file)
      for (_, stem) in track.orderedStems { files.insert(stem.file) }
    }
    for sound in manifest.sounds.values { files.insert(sound.file) }
    for pattern in manifest.patterns.values { files.insert(pattern.file) }
    for case .file(let file) in manifest.chapters.values.map(\.beats) { files.insert(file) }
    files.formUnion(pack.waveforms)
    files.remove("")
    var print = Fingerprint()
    for file in files.sorted() {
      print.add(file.utf8)
      print.add(contents(of: file, in: pack.path))
    }
    return print.value
  }

  /// Nothing for what cannot be read: a pack goes on without it.
  private static func contents(of file: String, in folder: String) -> [UInt8] {
    do throws(FileRefusal) {
      return try RegularFile.open(folder + "/" + file, inside: folder).contents(atMost: mostBytes)
    } catch {
      return []
    }
  }
}
