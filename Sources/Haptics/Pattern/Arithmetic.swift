// SPDX-License-Identifier: Apache-2.0

/// `a + b`, at the ends of the range where it does not fit: times come from files and clients.
@_noAllocation func saturatingSum(_ a: Int64, _ b: Int64) -> Int64 {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? (b > 0 ? .max : .min) : sum
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element fulfils `predicate`, which must hold for all elements from there on.
  func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
