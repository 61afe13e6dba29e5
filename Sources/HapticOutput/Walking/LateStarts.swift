// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// Whether an output was told of a player only after that was to begin, or took it in too late: what it writes next is of that player,
/// though it is not for its instant.
struct LateStarts {
  private var isAny = false

  /// Commands are taken in, to be felt from `instant` of the engine on at the earliest.
  mutating func note(_ commands: [HapticCommand], at instant: Instant) {
    for case .start(_, _, _, let at, _) in commands where at < instant { isAny = true }
  }

  /// Whether there was one before what is written now.
  mutating func take() -> Bool {
    defer { isAny = false }
    return isAny
  }
}
