// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// Keeps every page this process touches, now and later, from being taken away again. Pages that nobody touches are not
/// fetched, so memory does not grow. Returns 0, or an errno (ENOMEM, EPERM: RLIMIT_MEMLOCK is too low).
public func lockTouchedMemory() -> Int32 {
  rt_lock_touched_memory() == 0 ? 0 : errno
}
