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
    spikes = pattern.transients.map { tap in
      let felt = pattern.highest(from: tap.time, to: tap.time + HapticPattern.transientBody)
      return Corner(
        time: tap.time.seconds, intensity: Double(felt.intensity), sharpness: Double(felt.sharpness))
    }
  }
}
