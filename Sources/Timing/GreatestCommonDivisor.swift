// SPDX-License-Identifier: Apache-2.0

/// The greatest whole number that divides both, by Euclid; the other where one is zero.
public func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
