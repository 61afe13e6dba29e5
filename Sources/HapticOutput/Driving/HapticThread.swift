// SPDX-License-Identifier: Apache-2.0

import RealTime
import Synchronization

/// A thread of its own for one device.
final class HapticThread: Sendable {
  /// Below the audio thread and the beats': what is felt a moment late is less of a fault than what is heard late.
  static let priority = 50

  private let thread: Mutex<RealTimeThread?>
  /// What the system granted.
  let scheduling: ThreadScheduling

  /// Runs `body` on a new thread; nil when the system has none to give.
  init?(name: String, _ body: @escaping @Sendable () -> Void) {
    do throws(ThreadError) {
      let started = try RealTimeThread(name: name, priority: Self.priority, body)
      scheduling = started.scheduling
      thread = Mutex(started)
    } catch {
      return nil
    }
  }

  func join() { thread.withLock { $0.take() }?.join() }

  func detach() { thread.withLock { $0.take() }?.detach() }
}
