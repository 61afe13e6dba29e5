// SPDX-License-Identifier: Apache-2.0

/// What the oracle says the two motors are asked for while a pattern plays, millisecond by millisecond: `motor-points`
/// works it out where the guest is packed.
struct MotorPoints {
  /// Strong and weak, 0...1, in the middle of each millisecond.
  let points: [SIMD2<Double>]

  init(_ pattern: String) throws {
    let lines = readText("/points/\(pattern)").split(separator: "\n")
    points = lines.map { line in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      return numbers.count == 3 ? SIMD2(numbers[1], numbers[2]) : SIMD2(.nan, .nan)
    }
    guard !points.isEmpty, !points.contains(where: { $0.x.isNaN }) else {
      throw RigFailure("no points of \(pattern) came with the guest")
    }
  }

  /// The same for a pad with one strength: that of the stronger.
  var single: MotorPoints { MotorPoints(points: points.map { SIMD2(repeating: $0.max()) }) }

  private init(points: [SIMD2<Double>]) { self.points = points }

  /// When each point is, in microseconds from the pattern's start.
  func time(of index: Int) -> Int64 { Int64(index) * 1_000 + 500 }

  /// Of each motor the strongest in `from..<to`, in microseconds from the pattern's start.
  func peak(from: Int64, to: Int64) -> SIMD2<Double> {
    let first = max((from + 499) / 1_000, 0)
    let end = min((to + 499) / 1_000, Int64(points.count))
    var peak = SIMD2(0.0, 0.0)
    var index = first
    while index < end {
      peak = pointwiseMax(peak, points[Int(index)])
      index += 1
    }
    return peak
  }
}
