// SPDX-License-Identifier: Apache-2.0

import Timing

/// Players that end others when they begin.
extension HapticMixer {
  /// A player that waits for its instant and those that end when it begins, the nearest first: one of them that has not begun
  /// either ends another.
  public func replaced(by id: HapticPlayerID) -> [HapticPlayerID] {
    var replaced: [HapticPlayerID] = []
    var next: HapticPlayerID? = id
    while let id = next {
      next = players.first { $0.id == id }.flatMap { $0.hasStarted ? nil : $0.replaced }
      if let next, !replaced.contains(next) { replaced.append(next) } else { return replaced }
    }
    return replaced
  }

  /// Those that a player depends on: itself, those that may end it by beginning, those that may end these before.
  func replacers(of id: HapticPlayerID) -> Set<HapticPlayerID> {
    var found: Set = [id]
    while true {
      let more = players.filter { player in
        !player.hasStarted && !found.contains(player.id) && (player.replaced.map(found.contains) ?? false)
      }
      if more.isEmpty { return found }
      found.formUnion(more.map(\.id))
    }
  }

  /// When players end in `start..<end` because others begin, if nothing more is said.
  func replacements(from start: Instant, to end: Instant) -> [(at: Instant, player: HapticPlayerID)] {
    guard start < end, players.contains(where: { !$0.hasStarted && $0.replaced != nil }) else { return [] }
    var ahead = self
    return ahead.advance(to: end - Interval(nanoseconds: 1)).compactMap { event in
      guard case .replaced(let id, let at) = event, at >= start else { return nil }
      return (at, id)
    }
  }

  /// Nothing of a player is felt: all it still does is to end another.
  public mutating func keepAway(_ id: HapticPlayerID) {
    guard let place = players.firstIndex(where: { $0.id == id }) else { return }
    if players[place].hasStarted || players[place].replaced == nil { return apply(.stop(id, at: .distantPast)) }
    players[place].keepAway()
  }
}

extension HapticCommand {
  /// What is told where a player is not to be felt: only that it ends another; nil where there is nothing to tell.
  public var unfelt: HapticCommand? {
    guard case .start(let id, _, let source, let at, let options) = self, let replaced = options.replaced else {
      return nil
    }
    return .start(id, .nothing, source: source, at: at, options: HapticPlayOptions(replaced: replaced))
  }
}

extension HapticPattern {
  /// Is over as it begins.
  static var nothing: HapticPattern { .continuous(intensity: 0, sharpness: 0, duration: .zero) }
}
