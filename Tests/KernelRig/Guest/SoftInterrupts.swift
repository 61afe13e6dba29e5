// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Work that the kernel does behind an interrupt (softirqs), such as the timer of `snd-dummy`. A card's own interrupt does not
/// wait for it.
///
/// After ten rounds of it in a row, as its reclaiming of memory (RCU) makes, the kernel leaves the rest to a thread of
/// ordinary priority (`MAX_SOFTIRQ_RESTART` in kernel/softirq.c). A daemon whose control is at nice -11 then goes before
/// it on the guest's only processor, and its own audio thread is woken up to 8 ms late.
enum SoftInterrupts {
  /// Above every thread that is judged, and the rig's own witness.
  private static let priority: Int32 = 90

  /// Lets nothing go before what a card's timer does, as nothing goes before a card's own interrupt.
  static func goFirst() throws {
    guard
      let thread = list("/proc").first(where: { readText("/proc/\($0)/comm") == "ksoftirqd/0\n" }).flatMap(Int32.init)
    else { throw RigFailure("this kernel has no thread ksoftirqd/0") }
    var parameters = sched_param(sched_priority: priority)
    guard sched_setscheduler(thread, SCHED_FIFO, &parameters) == 0 else {
      throw RigFailure("ksoftirqd/0 cannot be given priority: \(String(cString: strerror(errno)))")
    }
  }
}
