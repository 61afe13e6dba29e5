// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// The calling thread's treatment of denormal numbers, to be put back as it was.
///
/// A denormal costs a hundred times a normal number on some processors, so real-time code counts them as zero.
public struct DenormalFlushing {
  @usableFromInline let saved: UInt64

  /// From now on denormals are zero on this thread (FTZ and DAZ on x86-64, FZ on aarch64).
  @_noLocks @inlinable public init() {
    saved = rt_float_control()
    // Writing the register is slow, so it is left alone where it says so already.
    let flushing = saved | rt_float_control_flush_bits()
    if flushing != saved { rt_float_control_set(flushing) }
  }

  /// Puts back what was before.
  @_noLocks @inlinable public func restore() {
    if saved | rt_float_control_flush_bits() != saved { rt_float_control_set(saved) }
  }
}
