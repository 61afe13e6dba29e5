// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// What of a pattern is drawn: its steady part as a line through corners, its taps as spikes.
struct HapticOutline {
  struct Corner: Equatable {
    var time: Double
    var intensity: Double
    var sharpness: Double
  }

  /// Seconds.
  let duration: Double
  /// In order of time, two where the level steps.
  let body: [Corner]
  /// As they are felt at their strongest, with what sounds below them.
  let spikes: [Corner]

  init(_ pattern: HapticPattern, steps: Int = 480) {
    duration = pattern.duration.seconds
    let steady = pattern.withoutTaps
    func corner(_ time: Interval, drawnAt place: Interval) -> Corner {
      let level = steady.level(at: time)
      return Corner(time: place.seconds, intensity: Double(level.intensity), sharpness: Double(level.sharpness))
    }
    let step = Interval(nanoseconds: max(1_000_000, steady.duration.nanoseconds / Int64(max(steps, 1))))
    var body = [corner(.zero, drawnAt: .zero)]
    var time = Interval.zero
    while let next = steady.nextChange(after: time, step: step) {
      body.append(corner(next - Interval(nanoseconds: 1), drawnAt: next))
      body.append(corner(next, drawnAt: next))
      time = next
    }
    self.body = body
    var felt = FeltTaps(pattern)
    spikes = pattern.transients.map { tap in
      let level = felt.strongest(of: tap.time)
      return Corner(time: tap.time.seconds, intensity: Double(level.intensity), sharpness: Double(level.sharpness))
    }
  }
}

/// The strongest that is felt while each tap lasts, taps in order of time: what changes is looked at once, however many taps
/// it falls into.
struct FeltTaps {
  private let pattern: HapticPattern
  /// Changes that are still to be asked for, none as strong as one before it.
  private var strongest: [(time: Interval, level: HapticLevel)] = []
  private var head = 0
  private var walked = Interval.zero
  /// How many changes were looked at: the cost, for tests.
  private(set) var looks = 0

  init(_ pattern: HapticPattern) { self.pattern = pattern }

  /// As `HapticPattern.highest` from a tap's beginning to its end; `start` is no earlier than at the last call.
  mutating func strongest(of start: Interval) -> HapticLevel {
    let end = start + HapticPattern.transientBody
    if walked < start { walked = start }
    while let next = pattern.nextChange(after: walked), next < end {
      walked = next
      let level = pattern.level(at: next)
      looks += 1
      while strongest.count > head, strongest[strongest.count - 1].level.intensity < level.intensity {
        strongest.removeLast()
      }
      strongest.append((next, level))
    }
    while head < strongest.count, strongest[head].time <= start { head += 1 }
    if head > 1_024 {
      strongest.removeFirst(head)
      head = 0
    }
    let own = pattern.level(at: start)
    guard head < strongest.count, strongest[head].level.intensity > own.intensity else { return own }
    return strongest[head].level
  }
}
