// SPDX-License-Identifier: Apache-2.0

// Instants come from clients: sums saturate, so that no request can make the daemon trap.

/// Division rounding towards minus infinity, so that time before zero counts like time after it.
@inlinable @_noLocks func floorDivide(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
  let quotient = a / b
  let remainder = a % b
  return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
}

@inlinable @_noLocks func saturatingAdd(_ a: Int64, _ b: Int64) -> Int64 {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? (b > 0 ? .max : .min) : sum
}

@inlinable @_noLocks func saturatingSubtract(_ a: Int64, _ b: Int64) -> Int64 {
  let (difference, overflow) = a.subtractingReportingOverflow(b)
  return overflow ? (b < 0 ? .max : .min) : difference
}

@inlinable @_noLocks func saturatingMultiply(_ a: Int64, _ b: Int64) -> Int64 {
  let (product, overflow) = a.multipliedReportingOverflow(by: b)
  return overflow ? ((a < 0) == (b < 0) ? .max : .min) : product
}

/// The nearest whole number, halves away from zero; NaN is zero. (`rounded()` is refused on the audio thread.)
@inlinable @_noLocks func saturatingRound(_ value: Double) -> Int64 {
  if value != value { return 0 }
  if value >= 0x1p63 { return .max }
  if value <= -0x1p63 { return .min }
  let whole = Int64(value)
  let part = value - Double(whole)
  return part >= 0.5 ? whole + 1 : part <= -0.5 ? whole - 1 : whole
}
