// SPDX-License-Identifier: Apache-2.0

import Files
import Problems

/// The file that keeps a `LeadMemory` from one run to the next. Neither reading nor writing it ever fails the program.
struct LeadFile: Sendable {
  private let file: KeptFile

  /// More than the limit of devices with names of any sense can take, in bytes.
  private static let sizeLimit = 65_536

  init(path: String) { file = KeptFile(path: path, atMost: Self.sizeLimit) }

  /// What it says; nothing where it cannot be read.
  func read() -> LeadMemory {
    guard let bytes = try? file.read() else { return LeadMemory() }
    return LeadMemory(reading: String(decoding: bytes, as: UTF8.self))
  }

  /// Replaces it as a whole. What went wrong, with the remedy, if anything did.
  func write(_ memory: LeadMemory) -> Problem? {
    do throws(WriteRefusal) {
      try file.replace(with: Array(memory.text.utf8))
      return nil
    } catch {
      return Problem(
        .leadNotKept, file: file.path, "how late the sound device is heard cannot be remembered: \(error)",
        remedy: "make its folder writable, and calibrate again")
    }
  }
}
