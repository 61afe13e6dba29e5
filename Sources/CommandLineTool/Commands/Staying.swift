// SPDX-License-Identifier: Apache-2.0

import StarlightClient

/// What has not begun, and what loops, ends with its client: a command stays connected for it.
extension StarlightConnection {
  /// Waits until an instant of the daemon's clock has passed, or for nil without end, unless a signal comes first or
  /// `isOver` says so of what is told meanwhile.
  func stay(untilUs: Int64?, isOver: (ReceivedNotification) -> Bool = { _ in false }) throws(ToolFailure) {
    let signals = SignalWatch()
    while signals.take() == nil {
      while let notification = try next(withinUs: 0) {
        if isOver(notification) { return }
      }
      let left = untilUs.map { $0 - nowUs() } ?? 1_000_000
      if left < 0 { return }
      _ = waitReadable([descriptor, signals.descriptor], microseconds: left + 1)
    }
  }
}
