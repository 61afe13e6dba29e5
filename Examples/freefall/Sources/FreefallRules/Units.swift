// SPDX-License-Identifier: Apache-2.0

/// What no designer may change: the relations of units, and numbers of arithmetic. All other numbers are `Rules`.
enum Units {
  static let microsecondsPerSecond = 1_000_000.0
  static let secondsPerMinute = 60.0
  static let percent = 100
  static let half = 0.5

  /// Seconds of a length in microseconds.
  static func seconds(_ lengthUs: Int64) -> Double { Double(lengthUs) / microsecondsPerSecond }

  /// Microseconds of a length in seconds, to the nearest.
  static func microseconds(_ seconds: Double) -> Int64 { Int64((seconds * microsecondsPerSecond).rounded()) }

  /// The end of a fixed step, in microseconds from where steps begin: without drift, however many there were.
  static func endUs(ofStep step: Int, perSecond: Int) -> Int64 {
    Int64(step) * Int64(microsecondsPerSecond) / Int64(perSecond)
  }
}
