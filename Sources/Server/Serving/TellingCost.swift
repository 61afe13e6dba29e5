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
  private var learnedAt = Instant.zero

  /// Fewer lines in a turn count as if they were so many: they are hardly what was told.
  private static let fewest = 8
  /// In about so long what is owed and does not come is forgotten.
  private static let forgotten = Interval.milliseconds(200)
  /// The most that a line comes to.
  private static let most = Interval.milliseconds(1)

  /// What lines that were served come to and was not told yet. What does not come is forgotten by and by, too.
  private(set) var owed = Interval.zero

  /// A line was served.
  mutating func serve() {
    lines += 1
    owed = owed + perLine
  }

  /// Telling has cost so much.
  mutating func tell(_ cost: Interval) {
    spent = spent + cost
    owed = max(owed - cost, .zero)
  }

  /// What a line comes to, by what was served and told since the last call too. It is known at once where lines become dearer,
  /// and by and by where they become cheaper; `now` is when it is asked.
  mutating func learned(at now: Instant) -> Interval {
    let latest = min(spent.nanoseconds / Int64(max(lines, Self.fewest)), Self.most.nanoseconds)
    let known = perLine.nanoseconds
    perLine = Interval(nanoseconds: max(latest, (31 * known + latest) / 32))
    let passed = min((now - learnedAt).nanoseconds, Self.forgotten.nanoseconds)
    owed = Interval(nanoseconds: owed.nanoseconds - owed.nanoseconds * passed / Self.forgotten.nanoseconds)
    learnedAt = now
    (lines, spent) = (0, .zero)
    return perLine
  }
}
