// SPDX-License-Identifier: Apache-2.0

import Wire

/// The packs whose last reading was not taken, until a later one is, or the pack goes.
struct UntakenReadings {
  private var byPack: [String: UntakenReading] = [:]

  /// The most that a status tells of.
  static let mostTold = 16

  /// That of a pack was read last, and not taken.
  mutating func note(_ reading: UntakenReading) { byPack[reading.pack] = reading }

  /// The pack was taken, or is there no more.
  mutating func forget(pack: String) { byPack[pack] = nil }

  /// The latest, the newest last; nothing where there are none.
  var told: [UntakenReading]? {
    let inOrder = byPack.values.sorted { ($0.atUs, $0.pack) < ($1.atUs, $1.pack) }
    return inOrder.isEmpty ? nil : Array(inOrder.suffix(Self.mostTold))
  }
}
