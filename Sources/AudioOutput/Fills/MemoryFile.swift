// SPDX-License-Identifier: Apache-2.0

import Files

/// What is remembered of devices, as a text.
protocol DeviceMemory: Sendable {
  /// Nothing remembered.
  init()
  /// What a text says, as far as it can be read.
  init(reading text: String)
  /// The text of it all.
  var text: String { get }
}

/// The file that keeps such a memory from one run to the next. Neither reading nor writing it ever fails the program.
struct MemoryFile<Memory: DeviceMemory>: Sendable {
  private let file: KeptFile

  /// More than the limit of devices with names of any sense can take, in bytes.
  private static var sizeLimit: Int { 65_536 }

  init(path: String) { file = KeptFile(path: path, atMost: Self.sizeLimit) }

  var path: String { file.path }

  /// What it says; nothing where it cannot be read.
  func read() -> Memory {
    guard let bytes = try? file.read() else { return Memory() }
    return Memory(reading: String(decoding: bytes, as: UTF8.self))
  }

  /// Replaces it as a whole.
  func replace(with memory: Memory) throws(WriteRefusal) { try file.replace(with: Array(memory.text.utf8)) }
}
