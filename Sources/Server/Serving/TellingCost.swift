// SPDX-License-Identifier: Apache-2.0

import Timing

/// What telling costs that lines set off, and that comes when it is due, in a later turn: of one line that changes what many
/// clients are told of, many times what serving it does. So a turn serves fewer lines where lines came to more of late, or the turn
/// that tells would take as long as all that it tells for. Knows no clock: costs are passed in.
struct TellingCost {
  /// What a line came to of late.
  private(set) var perLine = Interval.zero
  private var lines = 0
  private var spent = Interval.zero

  /// Fewer lines in a turn count as if they were so many: they are hardly what was told.
  private static let fewest = 8
  /// The most that a line comes to.
  private static let most = Interval.milliseconds(1)

  /// A line was served.
  mutating func serve() { lines += 1 }

  /// Telling has cost so much.
  mutating func tell(_ cost: Interval) { spent = spent + cost }

  /// What a line comes to, by what was served and told since the last call too. It is known at once where lines become dearer,
  /// and by and by where they become cheaper.
  mutating func learned() -> Interval {
    let latest = min(spent.nanoseconds / Int64(max(lines, Self.fewest)), Self.most.nanoseconds)
    let known = perLine.nanoseconds
    perLine = Interval(nanoseconds: max(latest, (31 * known + latest) / 32))
    (lines, spent) = (0, .zero)
    return perLine
  }
}
