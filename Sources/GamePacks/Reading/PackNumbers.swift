// SPDX-License-Identifier: Apache-2.0

/// The shortest time that is not none: a microsecond.
let leastSeconds: Double = 1e-6
/// The longest time a pack may name: a day.
let maximumSeconds: Double = 86_400

/// The nearest whole microsecond.
///
/// Exact for a decimal of up to six places: below a day the nearest double is within 8e-12 s of it, so the product is
/// within 0.00003 of the whole number that was written.
func wholeMicroseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e6).rounded()) }

/// A number as people write it: 8, not 8.0, and 0.000001, not 1e-06.
func plain(_ value: Double) -> String {
  if let whole = Int64(exactly: value) { return String(whole) }
  return value.magnitude < 1e-3 ? decimalSeconds(Int64((value * 1e6).rounded())) : "\(value)"
}

/// Microseconds as a file writes them, in seconds without zeros at the end.
func decimalSeconds(_ microseconds: Int64) -> String {
  let (whole, rest) = microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
  let sign = microseconds < 0 ? "-" : ""
  if rest == 0 { return "\(sign)\(whole)" }
  let digits = String(rest)
  let fraction = String(repeating: "0", count: 6 - digits.utf8.count) + digits
  return "\(sign)\(whole)."
    + String(decoding: fraction.utf8.reversed().drop { $0 == UInt8(ascii: "0") }.reversed(), as: UTF8.self)
}
