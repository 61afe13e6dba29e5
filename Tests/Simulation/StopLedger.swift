// SPDX-License-Identifier: Apache-2.0

import Wire

/// The stops of sounds: until when what they meet may fade.
struct StopLedger {
  /// What a stop is of.
  enum Stopped: Equatable {
    /// One sound, by its id.
    case sound(Int64)
    /// Every playing of a sound, by its name.
    case named(String)
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

  /// When a sound that begins at `start` is over for a stop of all that comes after that, whichever of them was asked for
  /// first; nil where there is none.
  func end(of sound: Int64, _ name: String, from start: Int64, _ stalls: Stalls) -> Int64? {
    // A frame is heard within a microsecond of its instant, and is 21 of them long.
    let ends = stops.filter { $0.stopped == .all && $0.at > start + 25 }.map { end(of: $0, stalls) }
    return ends.min().map { end(of: sound, name, fadingUntil: $0, stalls) }
  }

  /// When a sound that fades until an instant is over: a stop that meets a fade begins another.
  func end(of sound: Int64, _ name: String, fadingUntil end: Int64, _ stalls: Stalls) -> Int64 {
    var end = end
    for stop in stops.sorted(by: { $0.at < $1.at }) where stop.at <= end + 25 {
      if [.all, .sound(sound), .named(name)].contains(stop.stopped) {
        end = max(end, self.end(of: stop, stalls))
      }
    }
    return end
  }

  /// When what a stop meets is silent, at the latest.
  private func end(of stop: Stop, _ stalls: Stalls) -> Int64 {
    let planned = stalls.span(of: stop.at).upperBound
    return (stop.isNow ? max(planned, stalls.end(of: stop.at)) : planned) + stop.fadeUs
  }
}
