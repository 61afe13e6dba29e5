// SPDX-License-Identifier: Apache-2.0

import Haptics

/// A pattern sampled for machines: a hundred columns, as drawn.
struct PatternSketch: Encodable {
  struct Point: Encodable {
    var atUs: Int64
    var intensity: Double
    var sharpness: Double
    var transient: Bool
  }

  var durationUs: Int64
  var events: Int
  var points: [Point]

  init(_ document: AHAPDocument) {
    let pattern = HapticPattern(document)
    durationUs = pattern.duration.microseconds
    events = pattern.eventCount
    let envelope = Envelope(document, columns: 100)
    points = envelope.columns.enumerated().map { index, column in
      Point(
        atUs: envelope.span.microseconds * Int64(index) / 100,
        intensity: roundedLevel(max(column.body, column.spike ?? 0)),
        sharpness: roundedLevel(column.sharpness), transient: column.spike != nil)
    }
  }
}
