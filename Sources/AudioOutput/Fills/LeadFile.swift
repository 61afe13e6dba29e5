// SPDX-License-Identifier: Apache-2.0

import Files
import Problems

extension LeadMemory: DeviceMemory {}

/// The file of a `LeadMemory`.
typealias LeadFile = MemoryFile<LeadMemory>

extension LeadFile {
  /// Replaces it as a whole. What went wrong, with the remedy, if anything did.
  func write(_ memory: LeadMemory) -> Problem? {
    do throws(WriteRefusal) {
      try replace(with: memory)
      return nil
    } catch {
      return Problem(
        .leadNotKept, file: path, "how late the sound device is heard cannot be remembered: \(error)",
        remedy: "make its folder writable, and calibrate again")
    }
  }
}
