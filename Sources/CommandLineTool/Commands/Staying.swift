// SPDX-License-Identifier: Apache-2.0

import StarlightClient

/// What has not begun, and what loops, ends with its client: a command stays connected for it.
extension StarlightConnection {
  /// Waits until an instant of the daemon's clock has passed, unless a signal comes first.
  func stay(untilUs: Int64) throws(ToolFailure) {
    let _: Never? = try stay(untilUs: untilUs) { _ in nil }
  }

  /// Waits until an instant of the daemon's clock has passed, or for nil without end, unless a signal comes first, or `end`
  /// finds its end in what is told meanwhile: that is given back.
  func stay<End>(untilUs: Int64?, end: (ReceivedNotification) -> End?) throws(ToolFailure) -> End? {
    let signals = SignalWatch()
    while signals.take() == nil {
      while let notification = try next(withinUs: 0) {
        if let end = end(notification) { return end }
      }
      let left = untilUs.map { $0 - nowUs() } ?? 1_000_000
      if left < 0 { return nil }
      _ = waitReadable([descriptor, signals.descriptor], microseconds: left + 1)
    }
    return nil
  }
}
