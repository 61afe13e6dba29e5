// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

@testable import SyncFrontEnd

/// A disk that is busy with others until a test lets each write go on.
final class HeldDisk: Sendable {
  private let begun = DispatchSemaphore(value: 0)
  private let allowed = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let state = Mutex((written: [String](), refusal: StateFile.Failure?.none))

  /// What was written whole, in its order.
  var written: [String] { state.withLock { $0.written } }

  /// Waits until a write is under way; false where none begins in a minute.
  func waitForWrite() -> Bool { begun.wait(timeout: .now() + 60) == .success }

  /// Waits until one has come to its end; false where none does in a minute.
  func waitForEnd() -> Bool { ended.wait(timeout: .now() + 60) == .success }

  /// Lets so many writes come to their ends, refused where there is a reason.
  func release(_ count: Int = 1, refusing refusal: StateFile.Failure? = nil) {
    state.withLock { $0.refusal = refusal }
    for _ in 0..<count { allowed.signal() }
  }

  func write(_ bytes: [UInt8]) throws(StateFile.Failure) {
    begun.signal()
    allowed.wait()
    let refusal = state.withLock { state in
      if state.refusal == nil { state.written.append(String(decoding: bytes, as: UTF8.self)) }
      return state.refusal
    }
    ended.signal()
    if let refusal { throw refusal }
  }
}
