// SPDX-License-Identifier: Apache-2.0

/// Lines that wait to be with the kernel, and how far they are.
struct Outbox {
  /// Lines that wait to be taken.
  private var lines: [(id: Int64, line: [UInt8])] = []
  /// Lines that the kernel does not have whole, the oldest first: how many bytes of each it still lacks, and whether it has some
  /// of them already. A line leaves this list when its last byte is written, `lines` when it is taken to be written.
  private var unwritten: [(id: Int64, bytes: Int, isBegun: Bool)] = []
  /// The bytes of all that waits, and of what was taken and is not written.
  private(set) var bytes = 0

  /// Whether lines wait to be taken.
  var hasLines: Bool { !lines.isEmpty }

  /// The requests of which nothing is with the kernel.
  var unsent: Set<Int64> { Set(unwritten.filter { !$0.isBegun }.map(\.id)) }

  mutating func add(_ id: Int64, _ line: [UInt8]) {
    lines.append((id, line))
    // With its line feed.
    let count = line.count + 1
    unwritten.append((id, count, false))
    bytes += count
  }

  /// What is to be written now.
  mutating func take() -> [(id: Int64, line: [UInt8])] {
    defer { lines = [] }
    return lines
  }

  /// So many bytes of what was taken are with the kernel.
  mutating func wrote(_ count: Int) {
    bytes -= min(count, bytes)
    var (left, whole) = (count, 0)
    while left > 0, whole < unwritten.count {
      let part = min(left, unwritten[whole].bytes)
      unwritten[whole].bytes -= part
      unwritten[whole].isBegun = true
      left -= part
      if unwritten[whole].bytes == 0 { whole += 1 }
    }
    unwritten.removeFirst(whole)
  }
}
