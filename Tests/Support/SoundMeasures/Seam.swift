// SPDX-License-Identifier: Apache-2.0

import Glibc

extension [Float] {
  /// How far the sample at `frame` is from what the 50 ms before it lead one to expect, in times of how far the last 10 ms
  /// of them were, usually. Music goes on from what it was, also where a drum is struck, which begins from nothing; where it is
  /// cut it does not.
  public func surprise(at frame: Int) -> Double {
    let order = 24
    let past = self[(frame - 2_400)...frame].map(Double.init)
    let weights = predictor(of: past, order: order)
    func miss(_ place: Int) -> Double {
      var expected = 0.0
      for index in 0..<order { expected += weights[index] * past[place - 1 - index] }
      return abs(past[place] - expected)
    }
    let usual = (1_920..<2_400).reduce(0) { $0 + miss($1) * miss($1) } / 480
    return miss(2_400) / (usual.squareRoot() + 1e-6)
  }

  /// How much each of the `order` samples before one counts for what it will be, the last first: such that what is missed is
  /// least over all but the last of `samples` (linear prediction by least squares, which no tone that goes on surprises).
  private func predictor(of samples: [Double], order: Int) -> [Double] {
    let (first, end) = (order, samples.count - 1)
    // How alike the samples are that are so far apart, of each pair of distances.
    var alike = [[Double]](repeating: [Double](repeating: 0, count: order + 1), count: order + 1)
    for lag in 0...order {
      for place in first..<end { alike[0][lag] += samples[place] * samples[place - lag] }
      alike[lag][0] = alike[0][lag]
    }
    for row in 0..<order {
      for column in 0..<order {
        alike[row + 1][column + 1] =
          alike[row][column] + samples[first - 1 - row] * samples[first - 1 - column]
          - samples[end - 1 - row] * samples[end - 1 - column]
      }
    }
    var rows = (1...order).map { row in [Double](alike[row][1...]) + [alike[row][0]] }
    // Silence has no answer of its own.
    for row in 0..<order { rows[row][row] += 1e-9 * alike[0][0] + 1e-12 }
    for pivot in 0..<order {
      for row in 0..<order where row != pivot {
        let share = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot...order { rows[row][column] -= share * rows[pivot][column] }
      }
    }
    return (0..<order).map { rows[$0][order] / rows[$0][$0] }
  }
}
