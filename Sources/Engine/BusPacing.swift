// SPDX-License-Identifier: Apache-2.0

import Timing

/// How often the mixer is told of the gains of buses: whoever turns a slider faster than it mixes is not followed at every
/// turn, so that music, sounds and stops find room among its commands.
struct BusPacing {
  /// The most tellings for one frame.
  static let mostForAFrame = 8
  /// How long those that wait do so before they are looked at again: less than a period.
  static let patience = Interval.milliseconds(2)

  private var frame = Int64.min
  private var count = 0
  /// When gains that wait are looked at again; nil while the mixer knows what is set.
  private(set) var waitsUntil: Instant?

  /// Whether the mixer may be told for `frame`; if not it is to be told later.
  mutating func mayTell(for frame: Int64, now: Instant) -> Bool {
    if frame != self.frame { (self.frame, count) = (frame, 0) }
    guard count < Self.mostForAFrame else {
      waitsUntil = now + Self.patience
      return false
    }
    count += 1
    waitsUntil = nil
    return true
  }
}
