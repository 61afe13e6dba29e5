// SPDX-License-Identifier: Apache-2.0

import Wire

/// The strongest of the levels that belong together: those between two instants of stillness, or of half a second.
struct FeltPeak {
  /// A level, and the instant at which it was felt.
  struct Peak: Equatable {
    var intensity: Double
    var sharpness: Double
    var tUs: Int64
  }

  private static let longestUs: Int64 = 500_000

  private var peak: Peak?
  private var beganUs: Int64 = 0

  /// A level of the instant `tUs`; answers the peak that is over with it.
  mutating func take(_ level: HapticsLevel, tUs: Int64) -> Peak? {
    let over = level.intensity == 0 || (peak != nil && tUs - beganUs >= Self.longestUs) ? end() : nil
    guard level.intensity > 0 else { return over }
    if peak == nil { beganUs = tUs }
    if level.intensity > peak?.intensity ?? 0 {
      peak = Peak(intensity: level.intensity, sharpness: level.sharpness, tUs: tUs)
    }
    return over
  }

  /// The peak so far, which is over.
  mutating func end() -> Peak? {
    defer { peak = nil }
    return peak
  }
}
