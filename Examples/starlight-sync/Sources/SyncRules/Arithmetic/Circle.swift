// SPDX-License-Identifier: Apache-2.0

/// Sine and cosine without a library, by their series about 0 for the angle within half a turn; to some 1e-15.
enum Circle {
  static func sine(_ angle: Double) -> Double { series(angle, first: within(angle), after: 1) }

  static func cosine(_ angle: Double) -> Double { series(angle, first: 1, after: 0) }

  /// The sum of terms of which each is the one before, times -x² / ((n + 1)(n + 2)): a factor at a time.
  private static func series(_ angle: Double, first: Double, after: Double) -> Double {
    let x = within(angle)
    var (sum, term, n) = (first, first, after)
    while sum + term != sum || n <= 1 {
      n += 1
      term *= -x / n
      n += 1
      term *= x / n
      sum += term
    }
    return sum
  }

  private static func within(_ angle: Double) -> Double { angle.remainder(dividingBy: Units.turn) }
}
