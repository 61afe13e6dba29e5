// SPDX-License-Identifier: Apache-2.0

import Files
import Problems

extension FillMemory: DeviceMemory {}

/// The file of a `FillMemory`.
typealias FillFile = MemoryFile<FillMemory>

extension FillFile {
  /// Replaces it as a whole. What went wrong, with the remedy, if anything did.
  func write(_ memory: FillMemory) -> Problem? {
    do throws(WriteRefusal) {
      try replace(with: memory)
      return nil
    } catch {
      return Problem(
        .fillNotKept, file: path,
        "how far ahead the sound device needs to be filled cannot be remembered: \(error)",
        remedy: "make its folder writable, or give the period with --period")
    }
  }
}
