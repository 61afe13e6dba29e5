// SPDX-License-Identifier: Apache-2.0

extension WakeMemory: DeviceMemory {}

/// The file of a `WakeMemory`.
typealias WakeFile = MemoryFile<WakeMemory>

extension WakeFile {
  /// Replaces it as a whole, if that can be. Where not nobody is told: each run opens its device once before it lets it go, and so
  /// knows the least by itself.
  func write(_ memory: WakeMemory) { try? replace(with: memory) }
}
