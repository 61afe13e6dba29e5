// SPDX-License-Identifier: Apache-2.0

import Timing

/// How long control is not let run between planning and telling the mixer, how many times in a row.
package struct LateHandover {
  package var by: Interval
  package var times: Int

  package init(by: Interval, times: Int = 1) { (self.by, self.times) = (by, times) }

  /// Times enough that what is planned is carried out however late it is.
  package static func always(by: Interval) -> LateHandover { LateHandover(by: by, times: Planning.most + 1) }

  /// What comes of it the next time.
  var next: LateHandover? { times > 1 ? LateHandover(by: by, times: times - 1) : nil }
}
