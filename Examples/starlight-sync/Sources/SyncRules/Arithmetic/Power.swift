// SPDX-License-Identifier: Apache-2.0

/// Powers without a library: the binary digits of the exponent choose among repeated square roots of the base.
enum Power {
  /// `base` to `exponent`, both 0 to 1; to some 1e-15.
  static func of(_ base: Double, exponent: Double) -> Double {
    guard base > 0 else { return exponent > 0 ? 0 : 1 }
    guard exponent < 1 else { return base }
    var result: Double = 1
    var (root, rest) = (base, exponent)
    while rest > 0, root < 1 {
      root = root.squareRoot()
      rest += rest
      if rest >= 1 {
        rest -= 1
        result *= root
      }
    }
    return result
  }
}
