// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// All that a core of a process would hold at this moment: every part of its memory that can be read.
struct MemoryOfProcess {
  private let parts: [Data]

  init(_ process: pid_t) throws {
    let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
    let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    try #require(memory >= 0, "the memory of \(process) cannot be read: \(String(cString: strerror(errno)))")
    defer { close(memory) }
    var parts: [Data] = []
    for line in maps.split(separator: "\n") {
      let words = line.split(separator: " ")
      let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      guard words[1].hasPrefix("r"), ends.count == 2, ends[0] >= 0 else { continue }
      var part = Data(count: ends[1] - ends[0])
      // What has no page behind it ends the part.
      let count = part.withUnsafeMutableBytes { pread(memory, $0.baseAddress, $0.count, ends[0]) }
      parts.append(part.prefix(max(count, 0)))
    }
    self.parts = parts
  }

  func holds(_ text: String) -> Bool { parts.contains { $0.range(of: Data(text.utf8)) != nil } }
}
