// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many files of tracks are kept open, which are bounded, for descriptors are few: one for all tracks of an engine.
public final class KeptFiles: Sendable {
  private let most: Int
  private let count = Mutex(0)

  /// Room for `most` files at a time.
  public init(most: Int = 256) { self.most = most }

  /// Whether there was room for one more.
  func add() -> Bool {
    count.withLock { count in
      guard count < most else { return false }
      count += 1
      return true
    }
  }

  /// One is closed.
  func remove() { count.withLock { $0 -= 1 } }
}
