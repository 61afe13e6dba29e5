// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A tone that is struck and dies away.
struct StruckTone {
  /// Frames a second of what is made.
  static let rate = 48_000

  var hertz: Double
  /// Seconds after which it is 1/e as loud.
  var decay: Double

  /// From the stroke on, within -1 and 1.
  func frames(seconds: Double) -> [Float] {
    (0..<Int(seconds * Double(Self.rate))).map { frame in
      let time = Double(frame) / Double(Self.rate)
      return Float(sin(2 * Double.pi * hertz * time) * exp(-time / decay))
    }
  }
}
