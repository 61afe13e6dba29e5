// SPDX-License-Identifier: Apache-2.0

import RealTime

/// A piece of work on a thread of its own, while whoever began it goes on with something else.
struct WorkBeside: ~Copyable {
  private var thread: RealTimeThread?

  /// Begins `work` on a thread called `name`; where the system gives none, it is done here and now.
  init(name: String, _ work: @escaping @Sendable () -> Void) {
    do throws(ThreadError) {
      thread = try RealTimeThread(name: name, priority: nil, work)
    } catch {
      work()
    }
  }

  /// Returns when the work is done.
  consuming func join() { thread.take()?.join() }
}
