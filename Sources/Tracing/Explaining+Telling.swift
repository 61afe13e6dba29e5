// SPDX-License-Identifier: Apache-2.0

import Timing

extension Life {
  /// Who was told of it.
  mutating func tellTelling(_ records: LifeRecords, now: Instant) {
    if let handedOut = records.handedOut {
      stages.append(Stage(.handedOver, over: handedOut.at, late: handedOut.at - handedOut.due))
    }
    for told in records.told.sorted(by: { $0.client < $1.client }) {
      let end = told.written ?? now
      stages.append(
        Stage(.told, begun: told.queued, over: told.written, late: end - told.due, client: told.client))
      blame(.clientDoesNotRead, end - told.queued, client: told.client)
      let byBeats = records.handedOut.map { $0.at <= told.due } ?? false
      let late = told.queued - told.due
      // Whoever was to send it is known by its having been handed over, up to a second before.
      let isKnown = byBeats || records.since <= told.due - .milliseconds(1_000)
      blame(!isKnown ? .unknown : byBeats ? .beatsDescheduled : control(at: told.queued, records), late)
    }
  }
}
