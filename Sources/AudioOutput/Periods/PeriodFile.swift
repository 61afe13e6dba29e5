// SPDX-License-Identifier: Apache-2.0

import Files
import Problems

/// The file that keeps a `PeriodMemory` from one run to the next. Neither reading nor writing it ever fails the program.
struct PeriodFile: Sendable {
  private let file: KeptFile

  /// More than the limit of devices with names of any sense can take, in bytes.
  private static let sizeLimit = 65_536

  init(path: String) { file = KeptFile(path: path, atMost: Self.sizeLimit) }

  /// What it says; nothing where it cannot be read.
  func read() -> PeriodMemory {
    guard let bytes = try? file.read() else { return PeriodMemory() }
    return PeriodMemory(reading: String(decoding: bytes, as: UTF8.self))
  }

  /// Replaces it as a whole. What went wrong, with the remedy, if anything did.
  func write(_ memory: PeriodMemory) -> Problem? {
    do throws(WriteRefusal) {
      try file.replace(with: Array(memory.text.utf8))
      return nil
    } catch {
      return Problem(
        .periodNotKept, file: file.path, "the period that the sound device needs cannot be remembered: \(error)",
        remedy: "make its folder writable, or give the period with --period")
    }
  }
}
