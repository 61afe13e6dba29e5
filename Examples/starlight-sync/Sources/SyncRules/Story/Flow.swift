// SPDX-License-Identifier: Apache-2.0

/// How far the player has come: strictly forward, a chapter at a time.
public struct Flow: Equatable, Sendable {
  /// The highest chapter reached; all that is stored of a player.
  public private(set) var highestUnlockedChapter: Chapter

  /// A player who has reached that chapter, the first where nothing is said.
  public init(highestUnlockedChapter: Chapter = .handshake) { self.highestUnlockedChapter = highestUnlockedChapter }

  /// Unlocks the next chapter. False, and nothing changes, where this one was completed before, is not reached, or is
  /// the last.
  public mutating func complete(_ chapter: Chapter) -> Bool {
    guard chapter == highestUnlockedChapter, let next = chapter.next else { return false }
    highestUnlockedChapter = next
    return true
  }
}
