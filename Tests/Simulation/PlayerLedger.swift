// SPDX-License-Identifier: Apache-2.0

import Wire

/// By what haptic players end: stops of all, by their instant, and others that replace them, by beginning.
struct PlayerLedger {
  private var began: [Int64: Int64] = [:]
  /// Who was to replace whom.
  private var replacers: [Int64: [Int64]] = [:]
  private var stops: [Int64] = []

  mutating func note(_ player: Int64, replacing other: Int64) { replacers[other, default: []].append(player) }

  /// A stop of all for an instant.
  mutating func noteStop(at instant: Int64) { stops.append(instant) }

  mutating func begin(_ player: Int64, at instant: Int64) { began[player] = instant }

  /// Who is replaced gives way to one that begins; nobody outlasts a stop of all before which it began.
  func end(_ player: Int64, at instant: Int64, isReplaced: Bool, _ stalls: Stalls) throws {
    if isReplaced {
      let isSo = (replacers[player] ?? []).contains { began[$0] == instant }
      try ensure(
        isSo, "player \(player) was replaced at \(instant) by none that began then: \(replacers[player] ?? [])")
    }
    guard let start = began[player] else { return }
    let missed = stops.first { start < $0 && stalls.span(of: $0).upperBound < instant }
    try ensure(
      missed == nil, "player \(player), of \(start), ended at \(instant), after the stop of all at \(missed ?? 0)")
  }
}
