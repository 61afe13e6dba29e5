// SPDX-License-Identifier: Apache-2.0

import Glibc
import Timing

/// Runs seed after seed; 1 when one failed. A trap prints the seed too. Traced, every line is
/// printed as well.
public func runSeeds(
  from first: UInt64, count: UInt64, turns: Int, turnsOfAnEdit: Int, seconds: Int, isTraced: Bool, isKept: Bool
) -> Int32 {
  noteTraps()
  let start = time(nil)
  var seed = first
  var totals = (
    seeds: 0, granted: 0, refused: 0, told: 0, musicComparisons: 0, chapters: 0, reloads: 0, refusedReloads: 0,
    passedUs: Int64(0),
    step: Float(0)
  )
  while seed &- first < count, seconds == 0 || time(nil) - start < seconds {
    let kept = isKept ? " --kept 1" : ""
    let again = "again: starlight-simulation --seed \(seed) --turns \(turns) --edits \(turnsOfAnEdit)\(kept)"
    note("trapped; \(again)\n")
    do {
      var simulation = try Simulation(seed: seed, turns: turns, turnsOfAnEdit: turnsOfAnEdit, isKept: isKept)
      if isTraced { simulation.trace = { print($0) } }
      let report = try simulation.run()
      totals.seeds += 1
      totals.granted += report.granted
      totals.refused += report.refused.values.reduce(0, +)
      totals.told += report.told
      totals.musicComparisons += report.musicComparisons
      totals.chapters += report.chapters
      totals.reloads += report.reloads
      totals.refusedReloads += report.refusedReloads
      totals.passedUs += report.passedUs
      if seed % 2 == 0 { totals.step = max(totals.step, report.largestStep) }
    } catch {
      print("seed \(seed) failed: \(error)\n\(again)")
      return 1
    }
    seed += 1
  }
  print(
    "\(totals.seeds) seeds from \(first): \(totals.granted) requests granted, \(totals.refused) refused, "
      + "\(totals.told) notifications, the music compared \(totals.musicComparisons) times, \(totals.chapters) chapters, \(totals.reloads) reloads and \(totals.refusedReloads) refused ones, \(totals.passedUs / 1_000_000) s on the clock, "
      + "largest calm step \(totals.step), in \(time(nil) - start) s")
  return 0
}

/// What a trap writes: made ahead, because a signal's handler may do no more than write.
nonisolated(unsafe) private let trapText = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
nonisolated(unsafe) private var trapLength = 0

private func note(_ text: String) {
  trapLength = 0
  for byte in text.utf8.prefix(256) {
    trapText[trapLength] = byte
    trapLength += 1
  }
}

private func noteTraps() {
  for trap in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
    signal(trap) { number in
      write(1, trapText, trapLength)
      signal(number, SIG_DFL)
      raise(number)
    }
  }
}
