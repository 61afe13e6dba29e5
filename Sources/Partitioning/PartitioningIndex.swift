// SPDX-License-Identifier: Apache-2.0

extension RandomAccessCollection where Index == Int {
  /// The first index whose element fulfils `predicate`, which must hold for all elements from there on; the end where it holds for
  /// none. By halves, in the logarithm of how many there are.
  @inlinable public func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
