// SPDX-License-Identifier: Apache-2.0

import Haptics
import JSON
import Timing

/// One line of the haptic log: `{"tUs":1000,"intensity":0.8,"sharpness":0.3,"source":"game:heartbeat"}`.
///
/// Levels are rounded to 1/10000, finer than any actuator, so that lines stay short and equal levels look equal.
struct HapticLogLine: Equatable {
  private let intensity: Int
  private let sharpness: Int

  init(_ level: HapticLevel) {
    intensity = Int((level.intensity * 10_000).rounded())
    // A level too faint to be written is silence, and silence has no sharpness.
    sharpness = intensity == 0 ? 0 : Int((level.sharpness * 10_000).rounded())
  }

  static let silence = HapticLogLine(.silence)

  /// The line with its newline, for a change at `instant`; `source` is written as null in silence.
  func text(at instant: Instant, source: String?) -> String {
    let name = self == .silence ? "null" : source.map(jsonString) ?? "null"
    return "{\"tUs\":\(instant.microseconds),\"intensity\":\(decimal(intensity)),"
      + "\"sharpness\":\(decimal(sharpness)),\"source\":\(name)}\n"
  }

  /// Ten-thousandths as a JSON number without trailing zeros.
  private func decimal(_ value: Int) -> String {
    if value >= 10_000 { return "1" }
    if value == 0 { return "0" }
    var digits = String(value)
    digits = String(repeating: "0", count: 4 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "0." + digits
  }
}
