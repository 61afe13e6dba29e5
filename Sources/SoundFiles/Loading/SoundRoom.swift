// SPDX-License-Identifier: Apache-2.0

import Problems
import Synchronization

/// Bytes that decoded sound may take: counted before anything is allocated, and given back with the memory.
public final class SoundRoom: Sendable {
  /// What one pack may keep in memory: 128 MiB, which is 11 minutes of 16 bits at 48 kHz and half as much of anything else. Games
  /// decode to some 10 to 30 MiB.
  public static let ofOnePack = 128 << 20
  /// What all packs of a daemon may: 256 MiB, a quarter of the smallest handheld's memory. So a pack that is full can be read again
  /// while what was read of it before still plays.
  public static let ofAllPacks = 256 << 20

  /// The most bytes that are taken at a time.
  public let most: Int
  private let taken = Mutex(0)

  /// Room for `most` bytes at a time.
  public init(most: Int) { self.most = most }

  /// Bytes that are taken now.
  public var takenBytes: Int { taken.withLock { $0 } }

  /// Takes `bytes`; whether there was room.
  func take(_ bytes: Int) -> Bool {
    taken.withLock { taken in
      guard bytes <= most - taken else { return false }
      taken += bytes
      return true
    }
  }

  /// Gives back `bytes` that were taken.
  func give(_ bytes: Int) { taken.withLock { $0 -= bytes } }
}

/// The room of one reading of a pack, within that of all packs.
///
/// What the pack takes is counted by what its files' headers say, so that a pack fits or does not wherever it is read; what all take,
/// by the memory that is there.
public struct PackRoom: Sendable {
  let pack: SoundRoom
  let all: SoundRoom

  /// A pack's room for `most` bytes, within that for all packs.
  public init(most: Int = SoundRoom.ofOnePack, within all: SoundRoom = SoundRoom(most: SoundRoom.ofAllPacks)) {
    pack = SoundRoom(most: most)
    self.all = all
  }

  /// Takes room for `bytes` of the file at `path`, of which the pack is to be charged for `announced`. Throws `tooLarge` where it
  /// does not fit into its pack, `noMemory` where it does not beside the others.
  func take(_ bytes: Int, announced: Int, for path: String) throws(Problem) {
    guard pack.take(announced) else {
      throw Problem(
        .tooLarge, file: path,
        "there is no room for \(path), which takes \(inMemory(announced)): what is decoded of a pack takes "
          + "\(inMemory(pack.most)) at most",
        remedy:
          "list what is long under the pack's tracks, which are streamed, or shorten it; 16 bits at the engine's rate "
          + "take half")
    }
    guard all.take(bytes) else {
      pack.give(announced)
      throw Problem(
        .noMemory, file: path,
        "there is no room for \(path) beside what is loaded: what is decoded of all packs takes "
          + "\(inMemory(all.most)) at most",
        remedy: "take a pack out that is not played (`starlight pack unload`), and read this one again")
    }
  }

  func give(_ bytes: Int, announced: Int) {
    pack.give(announced)
    all.give(bytes)
  }
}

/// A number of bytes for people, as in "23.1 MiB".
func inMemory(_ bytes: Int) -> String {
  let tenths = (10 * bytes + (1 << 19)) >> 20
  if tenths < 1 { return "\((bytes + 1_023) >> 10) KiB" }
  return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
}
