// SPDX-License-Identifier: Apache-2.0

/// What is stored of a player, as text of one line: `highestUnlockedChapter=3`.
public struct Checkpoint: Equatable, Sendable {
  /// The player to go on with.
  public let flow: Flow
  /// Whether something was stored that could not be read, so that the game begins anew.
  public let isReset: Bool

  private static let key = "highestUnlockedChapter="

  /// Reads what was stored. Nil is a first start; what cannot be read, in whatever way, begins anew.
  public init(reading bytes: [UInt8]?) {
    let stored = bytes.flatMap(Self.chapter)
    flow = Flow(highestUnlockedChapter: stored ?? .handshake)
    isReset = bytes != nil && stored == nil
  }

  /// The bytes to store.
  public static func bytes(_ chapter: Chapter) -> [UInt8] { Array("\(key)\(chapter.rawValue)\n".utf8) }

  private static func chapter(_ bytes: [UInt8]) -> Chapter? {
    // There are but six texts that can be read.
    Chapter.allCases.first { Self.bytes($0) == bytes }
  }
}
