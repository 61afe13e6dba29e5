// SPDX-License-Identifier: Apache-2.0

import Engine
import Files
import GamePacks
import Journal

/// What the files of a pack come to, so that a journal is replayed with the packs that it was written with.
enum PackPrint {
  /// What is read of a file at once, in bytes.
  private static let bytesAtOnce = 1 << 18

  /// Of its manifest and of every file that it, or a pattern of it, names; of no use once it is not wanted any more.
  static func print(of pack: Catalog.Pack, while isWanted: () -> Bool = { true }) -> UInt64 {
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
      add(file, of: pack.path, to: &print, while: isWanted)
    }
    return print.value
  }

  /// Adds what a file holds; nothing for what cannot be read: a pack goes on without it.
  private static func add(_ file: String, of folder: String, to print: inout Fingerprint, while isWanted: () -> Bool) {
    guard let opened = try? RegularFile.open(folder + "/" + file, inside: folder) else { return print.add([UInt8]()) }
    var place = 0
    while place < opened.size, isWanted() {
      let bytes = opened.bytes(bytesAtOnce, from: place)
      if bytes.isEmpty { break }
      print.add(bytes)
      place += bytes.count
    }
  }
}
