// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// What stands at the other end of the daemon's wires, a pad or a capture, in a process of its own.
enum Witness {
  /// Lets it come before all that it watches, and be asked to end where it looks for that.
  ///
  /// What it does holds the daemon up, so it takes small pages: the kernel clears a huge one for 4 ms of this processor.
  static func takeItsPlace() {
    rt_keep_pages_small()
    var priority = sched_param(sched_priority: 80)
    sched_setscheduler(0, SCHED_FIFO, &priority)
    var ending = sigset_t()
    sigemptyset(&ending)
    sigaddset(&ending, SIGTERM)
    sigprocmask(SIG_BLOCK, &ending, nil)
  }

  /// Whether it was asked to end.
  static var isEnding: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGTERM) == 1
  }
}
