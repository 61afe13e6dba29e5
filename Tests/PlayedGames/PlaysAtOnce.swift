// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Plays as often as is asked, so many at once as that is asked, and compares when all are played: what comparing takes of the
/// machine is not measured with it.
func playsAtOnce(_ job: Job) throws -> (faults: [String], measured: Measured) {
  let outcome = Mutex<(faults: [String], measured: Measured, error: (any Error)?)>(([], Measured(), nil))
  let (turns, played, compared) = (DispatchSemaphore(value: job.atOnce), DispatchGroup(), DispatchGroup())
  for _ in 0..<job.plays { played.enter() }
  for number in 1...job.plays {
    turns.wait()
    var one = job
    if let folder = job.folder, job.plays > 1 { one.folder = folder + "/\(number)" }
    DispatchQueue(label: "play \(number)").async(group: compared) { [one] in
      var isPlayed = false
      let leave = {
        if !isPlayed {
          turns.signal()
          played.leave()
        }
        isPlayed = true
      }
      do {
        var measured = Measured()
        let faults = try playAndCompare(one, &measured) {
          leave()
          played.wait()
        }.faults
        outcome.withLock { outcome in
          outcome.faults += faults
          outcome.measured.add(measured)
        }
      } catch {
        leave()
        outcome.withLock { $0.error = error }
      }
    }
  }
  compared.wait()
  return try outcome.withLock { outcome in
    if let error = outcome.error { throw error }
    return (outcome.faults, outcome.measured)
  }
}
