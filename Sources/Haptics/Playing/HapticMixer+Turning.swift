// SPDX-License-Identifier: Apache-2.0

import Timing

/// Players later than now, each looked at for itself: to let time pass for all of them in order costs all of them at each turn of one,
/// and of many that loop there is one each few microseconds.
extension HapticMixer {
  /// Whether what each player comes to by `instant` hangs on that player alone: no command is to come by then, and nobody who
  /// begins ends another.
  func turnApart(by instant: Instant) -> Bool {
    if let at = pending.last?.at, at <= instant { return false }
    var isSo = true
    forEachPlayer { player in
      if player.replaced != nil, !player.hasStarted, let turn = player.turnInstant, turn <= instant { isSo = false }
    }
    return isSo
  }

  /// A player as it is at `instant`, where they turn apart; nil where it is over by then.
  func turned(_ player: borrowing HapticPlayer, by instant: Instant) -> HapticPlayer? {
    guard let first = player.turnInstant, first <= instant else { return copy player }
    if !isEnabled { return nil }
    var later = copy player
    while let turn = later.turnInstant, turn <= instant {
      if later.takeTurn(at: turn, before: instant) == nil { return nil }
    }
    return later
  }
}
