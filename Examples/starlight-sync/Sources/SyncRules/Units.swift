// SPDX-License-Identifier: Apache-2.0

/// What no designer may change: the relations of units, and numbers of arithmetic. All other numbers are `Rules`.
enum Units {
  static let microsecondsPerSecond = 1_000_000.0
  static let half = 0.5
  /// In radians.
  static let turn = 2 * Double.pi
  static let thereAndBack: Int64 = 2

  /// The end of a fixed step, in microseconds from where steps begin: without drift, however many there were.
  static func endUs(ofStep step: Int, perSecond: Int) -> Int64 {
    Int64(step) * Int64(microsecondsPerSecond) / Int64(perSecond)
  }

  /// How much of the way from `sinceUs` is past at `us`, 0 to 1, where all of it takes `lengthUs`.
  static func part(of lengthUs: Int64, sinceUs: Int64, atUs us: Int64) -> Double {
    lengthUs <= 0 ? 1 : min(Double(max(us - sinceUs, 0)) / Double(lengthUs), 1)
  }
}
