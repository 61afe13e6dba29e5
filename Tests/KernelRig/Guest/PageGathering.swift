// SPDX-License-Identifier: Apache-2.0

/// The kernel's thread that gathers pages into huge ones, at work all the time instead of every ten seconds: what it takes
/// away while it copies, others wait for.
struct PageGathering {
  private static let pause = "/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs"

  private let usual: String

  /// Between two looks, in milliseconds: most of the processor is left to others.
  static func every(milliseconds: Int) throws -> PageGathering {
    let gathering = PageGathering(usual: readText(pause))
    try writeFile(pause, "\(milliseconds)")
    return gathering
  }

  /// From here on it is as it was.
  func finish() { try? writeFile(Self.pause, usual) }
}
