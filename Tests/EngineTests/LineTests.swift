// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import Engine

@Suite struct LineTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func itHoldsWhatAnArrayWould(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var (line, array) = (Line<Int>(), [Int]())
    for number in 0..<2_000 {
      switch random.next(below: 6) {
      case 0 where !array.isEmpty: #expect(line.removeFirst() == array.removeFirst())
      case 1 where !array.isEmpty:
        let place = random.next(below: array.count)
        line[place] = -number
        array[place] = -number
      case 2 where array.count > 100:
        for _ in 0..<60 { #expect(line.removeFirst() == array.removeFirst()) }
      case 3:
        let start = random.next(below: array.count + 1)
        let range = start..<min(array.count, start + random.next(below: 3))
        line.replaceSubrange(range, with: [number, number + 1])
        array.replaceSubrange(range, with: [number, number + 1])
      case 4:
        line.removeAll { $0.isMultiple(of: 97) }
        array.removeAll { $0.isMultiple(of: 97) }
      default:
        line.append(number)
        array.append(number)
      }
      #expect(Array(line) == array && line.count == array.count && line.first == array.first)
    }
  }
}
