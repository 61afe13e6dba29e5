// SPDX-License-Identifier: Apache-2.0

import Dispatch

extension DispatchTime {
  /// So long from now.
  static func after(_ duration: Duration) -> DispatchTime {
    let (seconds, attoseconds) = duration.components
    return .now() + Double(seconds) + Double(attoseconds) / 1e18
  }
}
