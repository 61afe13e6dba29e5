// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// What can be done to a haptic player that plays or is to.
enum HapticPlayerVerb {
  case pause
  case resume
  /// To a place in its pattern.
  case seek(to: Interval)
  /// All at one instant.
  case set([HapticPlayerChange])
  case sendParameters([HapticParameter])
  /// Its points count from the verb's instant.
  case scheduleCurve(HapticParameterCurve)

  /// Whether the sounds of the pattern may change, so that it cannot be sooner than sounds can.
  var isHeard: Bool {
    commands(to: HapticPlayerID(rawValue: 0), at: .zero).contains(where: \.concernsSounds)
  }

  /// One for each change that the outputs have to keep until its instant.
  func commands(to player: HapticPlayerID, at instant: Instant) -> [HapticCommand] {
    switch self {
    case .pause: [.pause(player, at: instant)]
    case .resume: [.resume(player, at: instant)]
    case .seek(let position): [.seek(player, to: position, at: instant)]
    case .set(let changes): changes.map { .set(player, $0, at: instant) }
    case .sendParameters(let parameters): [.sendParameters(player, parameters, at: instant)]
    case .scheduleCurve(let curve): [.scheduleCurve(player, curve, at: instant)]
    }
  }
}

/// Verbs of players that have begun or are to. Each takes room for what waits for its instant.
extension Engine {
  /// Does something to a player at an instant; refused where who asks has as much waiting as it may.
  mutating func change(
    _ player: HapticPlayerID, by verb: HapticPlayerVerb, at instant: Instant, for cause: Cause
  ) throws(VerbRefusal) {
    let commands = verb.commands(to: player, at: instant)
    haptics.changes.pass(turn.now)
    try haptics.changes.take(commands.count, of: player, at: instant, by: cause)
    for command in commands { tell(player, command, at: instant) }
  }

  /// Sets what all players of a client are multiplied by: those it has, at an instant, and those it will start.
  mutating func setHapticGain(_ gain: Double, at instant: Instant, for cause: Cause) throws(VerbRefusal) {
    let players = haptics.players(of: cause.client)
    if !players.isEmpty {
      haptics.changes.pass(turn.now)
      try haptics.changes.take(players.count, of: nil, at: instant, by: cause)
    }
    haptics.setGain(gain, of: cause.client)
    for player in players { tell(player, .set(player, .ownerGain(gain), at: instant), at: instant) }
  }
}
