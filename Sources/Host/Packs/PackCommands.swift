// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Files

/// The lines by which a daemon that runs comes to know what was mended in a pack: said here alone.
enum PackCommands {
  /// Of a pack that is loaded.
  static func reading(pack name: String) -> String { "starlight pack reload \(printable(name))" }

  /// Of a pack that is not.
  static func reading(folder path: String) -> String { "starlight pack load \(printable(quotedForShell(path)))" }
}
