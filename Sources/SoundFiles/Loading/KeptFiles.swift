// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// How many files of tracks are kept open, which are bounded, for descriptors are few: one for all tracks of an engine.
public final class KeptFiles: Sendable {
  /// The most files that may be kept open at a time.
  let most: Int
  private let count = Mutex(0)

  /// Room for `most` files at a time, but for no more than half of all descriptors: the rest is for clients and devices.
  public init(most: Int = 256) {
    var limit = rlimit()
    let all = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit.rlim_cur : .max
    self.most = min(most, Int(clamping: all / 2))
  }

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
