// SPDX-License-Identifier: Apache-2.0

import Files
import Problems
import Synchronization

/// The sounds of one reading of a pack: each file is decoded once, however many sounds and patterns name it, by whatever names.
public final class SoundPool: Sendable {
  /// A file, and its sound once it is decoded. Who decodes it holds the lock, and who wants it as well waits for that.
  private final class Entry: Sendable {
    let sound = Mutex<LoadedSound?>(nil)
  }

  private let folder: String
  private let rate: Int
  private let isWanted: @Sendable () -> Bool
  private let entries = Mutex<[RegularFile.Identity: Entry]>([:])

  /// What the sounds are counted by, and whatever is made of them.
  public let room: PackRoom

  /// The sounds of the pack in `folder`, at `rate` frames a second; what is being decoded is given up once it is not wanted.
  public init(folder: String, rate: Int, room: PackRoom, isWanted: @escaping @Sendable () -> Bool = { true }) {
    (self.folder, self.rate, self.room, self.isWanted) = (folder, rate, room, isWanted)
  }

  /// The sound of a file, named from the pack's folder: the one that was decoded of it before, where it is the same file. Throws
  /// what `LoadedSound` does.
  public func sound(_ file: String) throws(Problem) -> LoadedSound {
    let file = try FileInspection.open(folder + "/" + file, inside: folder, named: nil)
    let entry = entries.withLock { entries in
      let entry = entries[file.identity] ?? Entry()
      entries[file.identity] = entry
      return entry
    }
    return try entry.sound.withLock { (sound) throws(Problem) in
      if let sound { return sound }
      let loaded = try LoadedSound(file, rate: rate, room: room, isWanted: isWanted)
      sound = loaded
      return loaded
    }
  }
}
