// SPDX-License-Identifier: Apache-2.0

import SeededNumbers

extension Seeded {
  mutating func real(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }
  mutating func whole(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
  mutating func oneIn(_ count: Int) -> Bool { whole(1...count) == 1 }
}
