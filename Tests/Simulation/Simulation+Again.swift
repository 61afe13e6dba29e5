// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Host

/// Where a journal was kept: the run is done again from it, and is the same.
extension Simulation {
  func doAgain() throws {
    guard let journalPath else { return }
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: journalPath)))
    let outcome = try JournalReplay(bytes).run()
    try ensure(outcome.isSame && outcome.end == .whole, "done again from its journal it is another: \(outcome)")
    try ensure(outcome.seconds > 0 && outcome.steps > 0, "nothing was compared: \(outcome)")
  }
}
