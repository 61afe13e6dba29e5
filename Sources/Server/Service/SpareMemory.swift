// SPDX-License-Identifier: Apache-2.0

import Host
import Timing

/// When memory that the allocator keeps for nothing goes back to the system: once after the start, and once after each crowd of
/// streams, whose decoders took some megabytes. Knows no clock.
///
/// Control does it itself, when nothing is due: it takes about a millisecond, under the lock that control allocates with, and a
/// thread without priority could be stopped while it holds that.
struct SpareMemory {
  /// How long there must have been few.
  private static let calm = Interval.seconds(1)
  /// What must not be due for so long.
  private static let needed = Interval.milliseconds(4)

  private var isKept = true
  /// Since when there have been few streams, while something is kept for more.
  private var calmSince: Instant?

  /// When it should be asked again, if nothing else comes.
  var due: Instant? { isKept ? calmSince.map { $0 + Self.calm } : nil }

  /// Whether to give it back now, with so many streams open, and nothing due for `patience`, or at all.
  mutating func isToGoBack(at now: Instant, streams: Int, patience: Interval?) -> Bool {
    guard streams <= Host.fewStreams else {
      isKept = true
      calmSince = nil
      return false
    }
    guard isKept else { return false }
    let since = calmSince ?? now
    calmSince = since
    guard now - since >= Self.calm, patience.map({ $0 >= Self.needed }) ?? true else { return false }
    isKept = false
    return true
  }
}
