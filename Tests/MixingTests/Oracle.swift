// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing

/// Tones and gains worked out in double precision from their definitions.
enum Oracle {
  /// A sine of `hertz` at 48 kHz.
  static func tone(_ hertz: Double, _ frame: Int, amplitude: Double = 0.5) -> Double {
    amplitude * sin(2 * .pi * hertz * Double(frame) / 48_000)
  }

  /// sqrt(g0^2 cos^2(pi x / 2) + g1^2 sin^2(pi x / 2)), with x = passed / frames held to 0...1.
  static func equalPower(_ g0: Double, _ g1: Double, _ passed: Int, of frames: Int) -> Double {
    let x = min(max(Double(passed) / Double(frames), 0), 1)
    let c = cos(.pi * x / 2)
    let s = sin(.pi * x / 2)
    return (g0 * g0 * c * c + g1 * g1 * s * s).squareRoot()
  }

  /// A straight line from g0 to g1.
  static func linear(_ g0: Double, _ g1: Double, _ passed: Int, of frames: Int) -> Double {
    g0 + (g1 - g0) * min(max(Double(passed) / Double(frames), 0), 1)
  }
}

extension Array where Element == Frame {
  /// The largest difference between neighbouring samples of a channel.
  var largestStep: Float {
    var largest: Float = 0
    for index in indices.dropFirst() {
      largest = Swift.max(largest, abs(self[index].left - self[index - 1].left))
      largest = Swift.max(largest, abs(self[index].right - self[index - 1].right))
    }
    return largest
  }
}

extension Collection<Frame> {
  /// The largest magnitude; infinite where a sample is no number.
  var peak: Float {
    reduce(0) { highest, frame in
      let magnitude = Swift.max(abs(frame.left), abs(frame.right))
      return magnitude.isFinite && frame.left.isFinite && frame.right.isFinite
        ? Swift.max(highest, magnitude) : .infinity
    }
  }
}
