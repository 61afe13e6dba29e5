// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing

/// When control does the rest of its turn: what it does besides clients' lines, such as bringing the engine on.
///
/// Whoever asks line by line may share a core with control, and has it back only once control sleeps. So after a line control
/// sleeps at once, where nothing is due, and does the rest a little later, for all lines that came by then. Knows no clock.
struct TurnRest {
  /// The most that the rest is put off.
  private let longest: Interval

  /// When the host wants to be called; nil for no time in particular. What a line changes of it is asked anew.
  private(set) var due: Instant?
  /// Until when the rest is put off; nil where it is not.
  private var until: Instant?

  init(longest: Interval = .milliseconds(1)) { self.longest = longest }

  /// The rest was done: from here on the host wants to be called by `due`.
  mutating func done(due: Instant?) { (self.due, until) = (due, nil) }

  /// Lines were served at `now`, and the engine wants to be called by `deadline`.
  mutating func putOff(at now: Instant, deadline: Instant?) {
    due = earliest(due, deadline)
    until = min(until ?? now + longest, due ?? .distantFuture)
  }

  /// Something else is to be looked at as well: the rest is done next.
  mutating func putOffNoMore() { until = nil }

  /// How long the rest waits yet; nil where it is to be done now.
  func left(at now: Instant) -> Interval? {
    guard let until, until > now else { return nil }
    return until - now
  }
}
