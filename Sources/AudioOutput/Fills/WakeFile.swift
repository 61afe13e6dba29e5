// SPDX-License-Identifier: Apache-2.0

import Files

/// The file that keeps a `WakeMemory` from one run to the next. Neither reading nor writing it ever fails the program, nor is
/// it told: each run opens its device once before it lets it go, and so knows the least by itself.
struct WakeFile: Sendable {
  private let file: KeptFile

  /// More than the limit of devices with names of any sense can take, in bytes.
  private static let sizeLimit = 65_536

  init(path: String) { file = KeptFile(path: path, atMost: Self.sizeLimit) }

  /// What it says; nothing where it cannot be read.
  func read() -> WakeMemory {
    guard let bytes = try? file.read() else { return WakeMemory() }
    return WakeMemory(reading: String(decoding: bytes, as: UTF8.self))
  }

  /// Replaces it as a whole, if that can be.
  func write(_ memory: WakeMemory) { try? file.replace(with: Array(memory.text.utf8)) }
}
