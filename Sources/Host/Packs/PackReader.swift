// SPDX-License-Identifier: Apache-2.0

import RealTime
import Synchronization
import Timing

/// One of the threads that read packs, and how far it is.
final class PackReader: Sendable {
  private let steps = Atomic<UInt64>(0)
  private let thread: Mutex<WakingThread?>

  /// Does `work` whenever it is woken, once it is started.
  init(_ work: @escaping @Sendable (PackReader) -> WakingThread.Next) {
    thread = Mutex(nil)
    // Held by its thread for as long as that runs.
    let made = WakingThread { work(self) }
    thread.withLock { $0 = made }
  }

  /// Starts the thread.
  func start() throws(ThreadError) { try current?.start(name: "loader") }

  /// Has it work.
  func wake() { current?.wake() }

  /// It is further than before.
  func goesOn() { steps.add(1, ordering: .relaxed) }

  /// Another number whenever it is further.
  var step: UInt64 { steps.load(ordering: .relaxed) }

  /// Leaves it to end by itself, once what it waits for answers.
  func leave() { _ = stop(by: .distantPast) }

  /// Has it end; returns at once.
  func requestStop() { current?.requestStop() }

  /// Ends it, but waits for that not beyond `deadline`; false where it was left behind.
  func stop(by deadline: Instant) -> Bool {
    let ending = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    return ending?.stop(byNanoseconds: deadline.nanoseconds) ?? true
  }

  private var current: WakingThread? { thread.withLock { $0 } }
}
