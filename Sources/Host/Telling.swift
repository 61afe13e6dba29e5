// SPDX-License-Identifier: Apache-2.0

import Engine
import Wire

/// Something that clients are to be told, and whose line it goes back to.
public struct Telling {
  /// What is told.
  public let notification: OutgoingNotification
  /// Who pays for telling it; nil for what the daemon tells by itself.
  public let cause: Cause?

  /// Tells `notification` for the sake of `cause`.
  public init(_ notification: OutgoingNotification, by cause: Cause? = nil) {
    self.notification = notification
    self.cause = cause
  }
}

extension Host {
  /// Has clients told of something that goes back to nobody's line.
  func tell(_ notification: OutgoingNotification) { tellings.append(Telling(notification)) }
}
