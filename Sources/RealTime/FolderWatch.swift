// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// Tells when devices may have come, gone or become accessible: a descriptor that becomes readable.
///
/// It watches a folder of device nodes itself, so it also works where no udev runs, and sees udev grant access.
public final class FolderWatch: Sendable {
  /// To be watched for reading; negative when nothing can be watched.
  public let descriptor: Int32
  private let folder: String
  /// Whether the folder was there; where not, it is waited for, and the watch must be made anew then.
  private let hasFolder: Bool

  /// Begins to watch `folder`, or `parent` for its coming where it is not there.
  public init(folder: String, parent: String) {
    self.folder = folder
    hasFolder = access(folder, F_OK) == 0
    descriptor = rt_watch_open(folder, parent)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Takes what was told since the last call; whether devices may have come or gone.
  public func takeChange() -> Bool { rt_watch_drain(descriptor) != 0 }

  /// Whether the folder has come or gone since this watch was made.
  public var isOutdated: Bool { hasFolder != (access(folder, F_OK) == 0) }
}
