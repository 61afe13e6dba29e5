// SPDX-License-Identifier: Apache-2.0

import Timing

extension Life {
  /// What of it does not begin, and why. While the engine stands it is told for when that began, but was not asked for by then.
  mutating func tellUnbegun(_ records: LifeRecords, _ root: LifeRoot) {
    for unbegun in records.unbegun {
      stages.append(Stage(unbegun.why, over: max(unbegun.at, root.at), part: unbegun.part))
    }
  }
}
