// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems

/// Memory for decoded sound: pages of its own, so that they go back to the system at once when nobody holds it any more. An allocator
/// would keep them.
///
/// All of it is zero in the beginning and not there before it is written to; who fills it writes to every page, so that nobody waits
/// for one later.
public final class SampleBlock: @unchecked Sendable {
  // Sendable is true: it is filled and cut by who made it, before anybody else knows of it.

  /// Where it begins: at a page.
  public let address: UnsafeMutableRawPointer
  /// Bytes that it has, in whole pages.
  public private(set) var bytes: Int
  private let announced: Int
  private let room: PackRoom

  /// Room for `bytes` bytes, of what is decoded of the file at `path`; its pack is charged for `announced`, where that is given.
  /// Throws `tooLarge` and `noMemory` where there is none, before anything is allocated.
  public init(bytes: Int, announced: Int? = nil, for path: String, in room: PackRoom) throws(Problem) {
    let bytes = Self.inPages(bytes)
    let announced = announced.map(Self.inPages) ?? bytes
    try room.take(bytes, announced: announced, for: path)
    guard let address = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      address != MAP_FAILED
    else {
      room.give(bytes, announced: announced)
      throw Problem(
        .noMemory, file: path, "the system has no memory for \(path), which takes \(inMemory(bytes))",
        remedy: "end other programs or raise the limit (`ulimit -v`, `LimitAS=`), and read the pack again")
    }
    self.address = address
    self.bytes = bytes
    self.announced = announced
    self.room = room
  }

  deinit {
    munmap(address, bytes)
    room.give(bytes, announced: announced)
  }

  /// Gives back all but the first `bytes` bytes, as far as these are whole pages.
  func cut(to bytes: Int) {
    let kept = Self.inPages(bytes)
    guard kept < self.bytes, munmap(address + kept, self.bytes - kept) == 0 else { return }
    room.all.give(self.bytes - kept)
    self.bytes = kept
  }

  private static func inPages(_ bytes: Int) -> Int {
    let page = Int(getpagesize())
    return (max(1, bytes) + page - 1) / page * page
  }
}
