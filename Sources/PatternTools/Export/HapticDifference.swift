// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// Where two patterns feel different.
public struct HapticDifference: Sendable {
  /// A time in which they differ, with the strongest level of each in it.
  public struct Span: Hashable, Sendable {
    /// From the patterns' start.
    public var start: Interval
    /// From the patterns' start; not before `start`.
    public var end: Interval
    /// The old pattern's strongest level in it.
    public var old: HapticLevel
    /// The new pattern's strongest level in it.
    public var new: HapticLevel
  }

  /// Levels nearer than this are the same to whoever feels them.
  public static let tolerance: Float = 0.01

  /// In order of time.
  public let spans: [Span]
  private let lengths: (old: Interval, new: Interval)
  private let events: (old: Int, new: Int)

  /// Compares the patterns wherever either changes, and every 5 ms while one moves.
  public init(old: HapticPattern, new: HapticPattern) {
    var spans: [Span] = []
    var time = Interval.zero
    let step = Interval.milliseconds(5)
    while true {
      let next = [old.nextChange(after: time, step: step), new.nextChange(after: time, step: step)]
        .compactMap { $0 }.min()
      let levels = (old.level(at: time), new.level(at: time))
      let end = next ?? time
      if differ(levels.0, levels.1) {
        if let last = spans.last, last.end == time {
          spans[spans.count - 1].end = end
          if levels.0.intensity > last.old.intensity { spans[spans.count - 1].old = levels.0 }
          if levels.1.intensity > last.new.intensity { spans[spans.count - 1].new = levels.1 }
        } else {
          spans.append(Span(start: time, end: end, old: levels.0, new: levels.1))
        }
      }
      guard let next else { break }
      time = next
    }
    self.spans = spans
    lengths = (old.duration, new.duration)
    events = (old.eventCount, new.eventCount)
  }

  /// For people and for version control: a line for each pattern, and one for each time in which they differ.
  ///
  /// A name is part of its line, whatever is in it.
  public func lines(oldName: String, newName: String) -> [String] {
    var lines = [
      "--- \(oldName): \(fixed(lengths.old.seconds, 3)) s, \(counted(events.old))",
      "+++ \(newName): \(fixed(lengths.new.seconds, 3)) s, \(counted(events.new))",
    ]
    lines += spans.map { span in
      "@@ \(fixed(span.start.seconds, 3)) to \(fixed(span.end.seconds, 3)) s: "
        + "\(described(span.old)) -> \(described(span.new))"
    }
    if spans.isEmpty { lines.append("no difference can be felt") }
    return lines
  }

  private func counted(_ events: Int) -> String { events == 1 ? "1 event" : "\(events) events" }

  private func described(_ level: HapticLevel) -> String {
    if level.intensity == 0 { return "silence" }
    return "intensity \(fixed(Double(level.intensity), 2)) sharpness \(fixed(Double(level.sharpness), 2))"
  }
}

private func differ(_ a: HapticLevel, _ b: HapticLevel) -> Bool {
  if abs(a.intensity - b.intensity) > HapticDifference.tolerance { return true }
  return min(a.intensity, b.intensity) > 0 && abs(a.sharpness - b.sharpness) > HapticDifference.tolerance
}
