// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// What a daemon told of one kind, each to be claimed once: what nobody claims happened without a moment.
struct ToldEvents<Payload: WireNotification> {
  private var events: [(tUs: Int64, payload: Payload)] = []

  init(_ told: [ReceivedNotification], where isOurs: (Payload) -> Bool = { _ in true }) throws {
    for notification in told {
      guard let payload = try notification.decode(as: Payload.self), isOurs(payload) else { continue }
      events.append((notification.tUs, payload))
    }
  }

  /// The first in this time that is as asked for; nil where nothing of the kind was told.
  mutating func claim(
    within instants: ClosedRange<Int64>, where isMeant: (Payload) -> Bool
  ) -> (tUs: Int64, payload: Payload)? {
    guard let index = events.firstIndex(where: { instants.contains($0.tUs) && isMeant($0.payload) }) else { return nil }
    return events.remove(at: index)
  }

  /// What nobody claimed.
  var unclaimed: [(tUs: Int64, payload: Payload)] { events }
}
