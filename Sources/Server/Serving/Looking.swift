// SPDX-License-Identifier: Apache-2.0

import Timing

/// How clients are looked at for what they have sent: when that was last, who is next, and whether something was left. Knows no
/// clock.
struct Looking {
  /// When clients were read last.
  var at = Instant.distantPast
  /// The number of the client that was read last of those that owe for being read, and of the others.
  var last: (others: UInt64, owing: UInt64) = (0, 0)
  /// Whether something was left unread, or somebody at the door.
  var leavesUnread = false

  /// Clients in the order in which they are read: from the one on that follows the `last`, by number and round again. So however few
  /// a look comes to, it is everybody's turn in the end.
  static func order<Client>(_ clients: [Client], after last: UInt64, by number: (Client) -> UInt64) -> [Client] {
    if clients.count < 2 { return clients }
    return clients.sorted { number($0) &- last &- 1 < number($1) &- last &- 1 }
  }
}
