// SPDX-License-Identifier: Apache-2.0

extension [Int64] {
  /// These flips where each comes in time, so much early or so much late: all combinations. The first is without an error;
  /// then come those that add up the most, each flip erring the other way than the one before.
  public func erring(byUs errorUs: Int64) -> [[Int64]] {
    var signs: [[Int64]] = [[]]
    for _ in self { signs = signs.flatMap { before in [0, 1, -1].map { before + [$0] } } }
    let alternating: [[Int64]] = [1, -1].map { first in indices.map { $0.isMultiple(of: 2) ? first : -1 * first } }
    let others = signs.dropFirst().filter { !alternating.contains($0) }
    return ([signs[0]] + alternating + others).map { signs in zip(self, signs).map { $0 + $1 * errorUs } }
  }
}
