// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// A run of stereo frames and the straight lines its gains follow.
typealias GainLine = rt_gain_line

extension rt_gain_line {
  /// No gain on whatever is at `source`.
  static func silent(_ source: UnsafePointer<Float>) -> GainLine {
    GainLine(source: Samples.float(source).run, base_left: 0, base_right: 0, slope_left: 0, slope_right: 0, index: 0)
  }
}
