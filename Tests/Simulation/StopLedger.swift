// SPDX-License-Identifier: Apache-2.0

import Wire

/// The stops of sounds: until when what they meet may fade. Of those that meet a sound, whichever is over first holds.
struct StopLedger {
  /// What a stop is of.
  enum Stopped: Equatable {
    /// One sound, by its id.
    case sound(Int64)
    case all
  }

  private struct Stop {
    var stopped: Stopped
    var at: Int64
    var fadeUs: Int64
    /// Whether it was asked for without an instant: the mixer is told when control has served it, and not before.
    var isNow: Bool
  }

  private var stops: [Stop] = []

  mutating func note(_ stopped: Stopped, at instant: Int64, fadeUs: Int64?, isNow: Bool = false) {
    let fade = max(fadeUs ?? SoundStop.ranges.fade.fallback, 5_000)
    stops.append(Stop(stopped: stopped, at: instant, fadeUs: fade, isNow: isNow))
  }

  /// When a sound that begins at `start` is over for the stops that come after that; nil where there is none.
  func end(of sound: Int64, from start: Int64, _ stalls: Stalls) -> Int64? {
    // A frame is heard within a microsecond of its instant, and is 21 of them long.
    let meant = stops.filter { [.all, .sound(sound)].contains($0.stopped) && $0.at > start + 25 }
    return meant.map { end(of: $0, stalls) }.min()
  }

  /// When what a stop meets is silent, at the latest.
  private func end(of stop: Stop, _ stalls: Stalls) -> Int64 {
    let planned = stalls.span(of: stop.at).upperBound
    return (stop.isNow ? max(planned, stalls.end(of: stop.at)) : planned) + stop.fadeUs
  }
}
