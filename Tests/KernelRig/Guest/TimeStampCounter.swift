// SPDX-License-Identifier: Apache-2.0

import CKernelRig
import CRealTime
import Glibc

/// The rate of this processor's time stamp counter. QEMU hands the counter through to the guest, whose own calibration
/// against an emulated timer fails on a busy machine and then hangs the boot: so it is told.
func timeStampCounterKilohertz() -> Int {
  let start = reading()
  usleep(50_000)
  let end = reading()
  return Int((Double(end.ticks - start.ticks) * 1e6 / Double(end.ns - start.ns)).rounded())
}

/// The closest of many readings of both clocks.
private func reading() -> (ns: Int64, ticks: UInt64) {
  var best = (spread: Int64.max, ns: Int64(0), ticks: UInt64(0))
  for _ in 0..<1_000 {
    let before = rt_now_ns()
    let ticks = time_stamp_counter()
    let after = rt_now_ns()
    if after - before < best.spread { best = (after - before, (before + after) / 2, ticks) }
  }
  return (best.ns, best.ticks)
}
