// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Synchronization

/// Closes what may take as long to close as a client likes, on a thread of its own, which is there once it is needed.
///
/// The thread is not waited for, at the end neither: a process that exits lets no socket linger.
final class DescriptorCloser: Sendable {
  private let waiting: Waiting
  private let thread: WakingThread
  private let isStarted = Mutex(false)

  private final class Waiting: Sendable {
    let descriptors = Mutex<[Int32]>([])
  }

  init() {
    let waiting = Waiting()
    self.waiting = waiting
    thread = WakingThread {
      guard let next = waiting.descriptors.withLock({ $0.popLast() }) else { return .whenWoken }
      Glibc.close(next)
      return .atOnce
    }
  }

  /// Has a descriptor closed soon; here and now where the system gives no thread.
  func close(_ descriptor: Int32) {
    let hasThread = isStarted.withLock { isStarted in
      if !isStarted { isStarted = (try? thread.start(name: "closing")) != nil }
      return isStarted
    }
    guard hasThread else {
      Glibc.close(descriptor)
      return
    }
    waiting.descriptors.withLock { $0.append(descriptor) }
    thread.wake()
  }
}
