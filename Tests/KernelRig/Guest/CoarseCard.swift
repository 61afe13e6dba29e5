// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A card as it looks to programs that are started with it: one whose least period is longer than its driver's (`coarse.c`).
struct CoarseCard {
  /// In frames.
  var leastPeriod: Int
  /// Whether it seems to tell its position by periods.
  var isBatch = false

  private static let shim = "/lib/coarse.so"

  /// Does something during which programs that are started see it.
  func around<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
    let variables = [("LD_PRELOAD", Self.shim), ("COARSE", "\(leastPeriod)"), ("COARSE_BATCH", isBatch ? "1" : "0")]
    for (name, value) in variables { setenv(name, value, 1) }
    defer { for (name, _) in variables { unsetenv(name) } }
    return try body()
  }
}
