// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// A pattern cut into as many columns as there are to draw.
struct Envelope: Equatable {
  /// One column: the strongest of what is felt during its share of time.
  struct Column: Equatable {
    /// Highest intensity of the continuous part.
    var body: Double = 0
    /// Sharpness where the body is highest.
    var bodySharpness: Double = 0
    /// The most that is felt while a transient that begins here lasts, with what sounds below it.
    var spike: Double?
    /// Sharpness of that.
    var spikeSharpness: Double = 0

    /// What is felt most.
    var sharpness: Double { spike == nil ? bodySharpness : spikeSharpness }
  }

  var columns: [Column]
  /// The time that all columns share.
  var span: Interval
}

extension Envelope {
  /// The shortest span drawn: a single transient is a spike with room behind it.
  static let leastSpan = Interval.milliseconds(200)

  /// `document` over its whole length, in `count` columns.
  init(_ document: AHAPDocument, columns count: Int) { self.init(HapticPattern(document), columns: count) }

  /// The same of a pattern.
  init(_ whole: HapticPattern, columns count: Int) {
    let continuous = whole.withoutTaps
    let total = max(whole.duration, Self.leastSpan)
    span = total
    columns = (0..<max(1, count)).map { index in
      let start = Interval(nanoseconds: share(index, of: total, among: count))
      let end = Interval(nanoseconds: share(index + 1, of: total, among: count))
      let step = max(.milliseconds(1), Interval(nanoseconds: (end - start).nanoseconds / 4))
      let highest = continuous.highest(from: start, to: end, step: step)
      return Column(body: Double(highest.intensity), bodySharpness: Double(highest.sharpness))
    }
    for tap in whole.transients {
      let index = Int(Double(tap.time.nanoseconds) / Double(total.nanoseconds) * Double(count))
      guard columns.indices.contains(index) else { continue }
      let level = whole.highest(from: tap.time, to: tap.time + HapticPattern.transientBody)
      let intensity = Double(level.intensity)
      if intensity >= columns[index].spike ?? 0 {
        columns[index].spike = intensity
        columns[index].spikeSharpness = Double(level.sharpness)
      }
    }
  }
}

private func share(_ index: Int, of total: Interval, among count: Int) -> Int64 {
  Int64(Double(total.nanoseconds) * Double(index) / Double(max(1, count)))
}
