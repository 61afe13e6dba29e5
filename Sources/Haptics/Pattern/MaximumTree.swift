// SPDX-License-Identifier: Apache-2.0

/// Finds the greatest of a stretch of values in the logarithm of their number.
struct MaximumTree: Sendable {
  /// Indices of values; node n has the children 2n and 2n + 1, the leaves are the second half.
  private let nodes: [Int32]
  private let values: [Double]

  init(_ values: [Double]) {
    self.values = values
    let count = values.count
    var nodes = [Int32](repeating: 0, count: 2 * count)
    for index in 0..<count { nodes[count + index] = Int32(index) }
    for node in stride(from: count - 1, to: 0, by: -1) {
      let (left, right) = (nodes[2 * node], nodes[2 * node + 1])
      nodes[node] = values[Int(right)] > values[Int(left)] ? right : left
    }
    self.nodes = nodes
  }

  /// The index of the greatest value in `range`, which must lie within them; nil when it is empty.
  func greatest(in range: Range<Int>) -> Int? {
    var best: Int32?
    func take(_ node: Int) {
      guard let known = best else {
        best = nodes[node]
        return
      }
      if values[Int(nodes[node])] > values[Int(known)] { best = nodes[node] }
    }
    var low = range.lowerBound + values.count
    var high = range.upperBound + values.count
    while low < high {
      if low % 2 == 1 {
        take(low)
        low += 1
      }
      if high % 2 == 1 {
        high -= 1
        take(high)
      }
      low /= 2
      high /= 2
    }
    return best.map(Int.init)
  }
}
