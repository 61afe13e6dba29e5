// SPDX-License-Identifier: Apache-2.0

import Timing

/// The stops that wait for their instants and are part of no cue: one that is asked for again is the same, and takes no room.
struct WaitingStops<Target: Hashable> {
  private struct Stop: Hashable {
    var target: Target
    var at: Instant
    var client: ClientID
  }

  private var stops: Set<Stop> = []

  /// Whether a client has asked for that stop already.
  func contains(_ target: Target, at instant: Instant, by client: ClientID) -> Bool {
    stops.contains(Stop(target: target, at: instant, client: client))
  }

  mutating func note(_ target: Target, at instant: Instant, by client: ClientID) {
    stops.insert(Stop(target: target, at: instant, client: client))
  }

  /// It waits no more.
  mutating func forget(_ target: Target, at instant: Instant, by client: ClientID) {
    stops.remove(Stop(target: target, at: instant, client: client))
  }
}
