// SPDX-License-Identifier: Apache-2.0

import Timing

extension Life {
  /// What of it does not begin, and why.
  mutating func tellUnbegun(_ records: LifeRecords) {
    for unbegun in records.unbegun {
      let kind: Kind =
        switch unbegun.why {
        case .calledOff: .calledOff
        case .skipped: .skipped
        case .stolen: .stolen
        }
      stages.append(Stage(kind, over: unbegun.at, part: unbegun.part))
    }
  }
}
