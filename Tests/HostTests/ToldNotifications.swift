// SPDX-License-Identifier: Apache-2.0

import Host
import Wire

extension Host {
  /// What is to be told since the last call, whoever's lines it goes back to.
  func takeNotifications() -> [OutgoingNotification] { takeTellings().map(\.notification) }
}
