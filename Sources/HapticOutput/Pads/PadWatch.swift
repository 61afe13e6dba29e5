// SPDX-License-Identifier: Apache-2.0

import RealTime

extension FolderWatch {
  /// A watch for pads, begun now.
  public static func pads() -> FolderWatch { FolderWatch(folder: "/dev/input", parent: "/dev") }
}
