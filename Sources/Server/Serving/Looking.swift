// SPDX-License-Identifier: Apache-2.0

import Timing

/// How clients are looked at for what they have sent: when that was last, who is next, and whether something was left. Knows no
/// clock.
struct Looking {
  /// When clients were read last.
  var at = Instant.distantPast
  /// The token of the client that was read last.
  var last: UInt64 = 0
  /// Whether something was left unread, or somebody at the door.
  var leavesUnread = false

  /// The events in the order in which clients are read: from the one on that follows the last, by token and round again. So
  /// however few a look comes to, it is everybody's turn in the end.
  func inTurn(_ events: [EventLoop.Event]) -> [EventLoop.Event] {
    if events.count < 2 { return events }
    return events.sorted { $0.token &- last &- 1 < $1.token &- last &- 1 }
  }
}
