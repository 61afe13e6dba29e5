// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Keeps one thread of a daemon from the guest's only processor: it is given a lower real-time priority than a program that
/// counts, and all others keep theirs above it.
struct ThreadHold {
  /// Which of them.
  enum Thread {
    /// Time sharing: below whoever counts as it is.
    case control
    case named(prefix: String)
  }

  private static let (lowest, counting, listening): (Int32, Int32, Int32) = (1, 10, 20)

  /// Lets a thread of `process` be held from here on.
  init(_ thread: Thread, of process: ChildProcess) throws {
    guard case .named(let prefix) = thread else { return }
    let tasks = "/proc/\(process.pid)/task"
    guard let held = list(tasks).first(where: { readText("\(tasks)/\($0)/comm").hasPrefix(prefix) }).flatMap(Int32.init)
    else { throw RigFailure("the daemon has no thread \(prefix)") }
    Self.setPriority(of: held, Self.lowest)
    Self.setPriority(of: process.pid, Self.listening)
  }

  /// Uses the processor up until that instant of CLOCK_MONOTONIC.
  func hold(until instantUs: Int64) {
    Self.setPriority(of: 0, Self.counting)
    while monotonicUs() < instantUs {}
    Self.setPriority(of: 0, 0)
  }

  private static func setPriority(of task: pid_t, _ priority: Int32) {
    var parameters = sched_param(sched_priority: priority)
    sched_setscheduler(task, priority == 0 ? SCHED_OTHER : SCHED_FIFO, &parameters)
  }
}
