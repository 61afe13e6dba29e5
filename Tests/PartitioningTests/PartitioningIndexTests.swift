// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Partitioning

/// The first of those in order that are meant.
@Suite struct PartitioningIndexTests {
  @Test func itIsWhereALookThroughAllWouldFindIt() {
    for count in 0...17 {
      // Each of them twice.
      let all = (0..<count).map { $0 / 2 }
      for limit in -1...count {
        #expect(all.partitioningIndex { $0 >= limit } == all.firstIndex { $0 >= limit } ?? all.count)
      }
    }
  }

  @Test func ofASliceItIsAnIndexOfTheSlice() {
    let slice = [9, 1, 2, 3, 9][1..<4]
    #expect(slice.partitioningIndex { $0 >= 2 } == 2)
    #expect(slice.partitioningIndex { $0 >= 0 } == 1)
    #expect(slice.partitioningIndex { $0 >= 4 } == 4)
  }
}
