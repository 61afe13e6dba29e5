// SPDX-License-Identifier: Apache-2.0

import Timing

/// How much the mixer is told for the switch of sound until it goes on: each turn of it takes back what is planned, or hands
/// it over anew, and who turns it on and on must leave room for what others ask.
struct SwitchPacing {
  /// The most steps for one frame: so few that much music (`MusicPacing`) finds room beside them in the mixer.
  static let most = 128
  /// What begins so soon would be late if it waited for that, and has as much room besides.
  static let soon = Interval.milliseconds(6)
  /// How long sounds that wait do so before they are looked at again: less than a period.
  static let patience = Interval.milliseconds(2)

  private var frame = Int64.min
  private var count = 0
  /// When sounds that wait are looked at again; nil while none do.
  var waitsUntil: Instant?

  /// How many more steps may be handed over for `frame`; below zero where what begins soon has taken its room besides.
  func room(for frame: Int64) -> Int { frame == self.frame ? Self.most - count : Self.most }

  /// Counts what was taken back or handed over for `frame`.
  mutating func charge(_ steps: Int, for frame: Int64) {
    if frame != self.frame { (self.frame, count) = (frame, 0) }
    count += steps
  }
}
