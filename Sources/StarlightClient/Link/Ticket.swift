// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The id of a request whose task may be cancelled before it has one.
final class Ticket: Sendable {
  private let state = Mutex((id: Int64?.none, isCancelled: false))

  /// The request has an id; true where it was cancelled already.
  func set(_ id: Int64) -> Bool {
    state.withLock { state in
      state.id = id
      return state.isCancelled
    }
  }

  /// The task was cancelled; the id of its request, if it has one.
  func cancel() -> Int64? {
    state.withLock { state in
      state.isCancelled = true
      return state.id
    }
  }
}
