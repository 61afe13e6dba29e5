// SPDX-License-Identifier: Apache-2.0

/// `a + b`, at the ends of the range where it does not fit: times come from files and clients.
@_noAllocation func saturatingSum(_ a: Int64, _ b: Int64) -> Int64 {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? (b > 0 ? .max : .min) : sum
}
