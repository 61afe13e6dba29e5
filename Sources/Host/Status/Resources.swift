// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// What this process uses, as the kernel counts it (proc(5), getrusage(2)).
final class Resources {
  /// Kept open: it must be readable also when no descriptor is left.
  private let status = open("/proc/self/status", O_RDONLY | O_CLOEXEC)

  deinit { if status >= 0 { close(status) } }

  /// What is used now.
  var current: EngineStatus.Resources {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let cpu =
      Int64(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000
      + Int64(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    let lines = statusLines
    return EngineStatus.Resources(
      residentBytes: Self.bytes("VmRSS:", in: lines), peakResidentBytes: Self.bytes("VmHWM:", in: lines), cpuUs: cpu)
  }

  private var statusLines: [Substring] {
    let bytes = [UInt8](unsafeUninitializedCapacity: 8_192) { buffer, initialized in
      initialized = max(0, pread(status, buffer.baseAddress, buffer.count, 0))
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  private static func bytes(_ field: String, in lines: [Substring]) -> Int64 {
    let line = lines.first { $0.hasPrefix(field) }
    let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int64($0) }
    return (kilobytes ?? 0) * 1024
  }
}
