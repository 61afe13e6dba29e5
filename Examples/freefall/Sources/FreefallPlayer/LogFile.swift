// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// A file that lines are added to beside the frame: where a disk is busy for others, a write that is to reach the kernel alone is
/// held up now and then, too.
final class LogFile: Sendable {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "log")
  private let error = Mutex<Int32>(0)

  /// Adds to what stands at `path`; nil, and why in `errno`, where it cannot.
  init?(adding path: String) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Adds these bytes, in order.
  func add(_ bytes: [UInt8]) {
    queue.async { [self] in
      if Glibc.write(descriptor, bytes, bytes.count) != bytes.count { error.withLock { $0 = errno } }
    }
  }

  /// The error of bytes that could not be added; 0 for none yet.
  var failure: Int32 { error.withLock { $0 } }

  /// Waits until all that was added is with the kernel: whoever kills itself then loses none of it.
  func finish() { queue.sync {} }
}
