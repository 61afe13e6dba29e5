// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

extension HapticPattern {
  /// The pattern as comma-separated values with a header: `time,intensity,sharpness`, seconds and 0...1, a line for each
  /// change; while the level moves, one every `step`. The last line is the silence after its end.
  public func table(step: Interval = HapticPattern.rampStep) -> String {
    var text = "time,intensity,sharpness\n"
    for (time, level) in changes(step: step) {
      text += fixed(time.seconds, 6) + "," + fixed(Double(level.intensity), 4) + ","
      text += fixed(Double(level.sharpness), 4) + "\n"
    }
    return text
  }
}

/// `value` with at most `places` decimals and no zeros at its end; the shortest form, the same in every locale.
func fixed(_ value: Double, _ places: Int) -> String {
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  guard let whole = Int64(exactly: (value * scale).rounded()) else { return "0" }
  var digits = String(whole.magnitude)
  if digits.count <= places { digits = String(repeating: "0", count: places + 1 - digits.count) + digits }
  var text = digits.dropLast(places) + "." + digits.suffix(places)
  while text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return (whole < 0 ? "-" : "") + text
}
