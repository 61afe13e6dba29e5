// SPDX-License-Identifier: Apache-2.0

import Timing

extension Life {
  /// What of it does not begin, and why.
  mutating func tellUnbegun(_ records: LifeRecords) {
    for unbegun in records.unbegun {
      stages.append(Stage(unbegun.why, over: unbegun.at, part: unbegun.part))
    }
  }
}
