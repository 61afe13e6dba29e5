// SPDX-License-Identifier: Apache-2.0

import Glibc
import Simulation
import Testing

/// A few seeds of what `make test-long` runs by the thousand.
@Suite struct SimulationTests {
  @Test(arguments: [1, 2] as [UInt64]) func aDaemonKeepsItsPromises(seed: UInt64) throws {
    var simulation = try Simulation(seed: seed, turns: 40, longestStepUs: 100_000)
    let report = try simulation.run()
    #expect(report.granted > 40)
  }

  @Test(arguments: [3, 4] as [UInt64]) func aDaemonIsTheSameAgainFromItsJournal(seed: UInt64) throws {
    var simulation = try Simulation(
      seed: seed, turns: 40, turnsOfAnEdit: 1 << 40, longestStepUs: 100_000, isKept: true)
    #expect(try simulation.run().granted > 40)
  }

  /// Whoever ends the program ends the run with it: no daemon in it fades out and leaves its clients without a reply.
  @Test func aSignalToTheProcessIsNotTheSimulatedDaemons() throws {
    var held = sigset_t()
    var before = sigset_t()
    sigemptyset(&held)
    sigaddset(&held, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // It waits for this thread, and for whoever takes it.
    pthread_kill(pthread_self(), SIGTERM)
    var simulation = try Simulation(seed: 1, turns: 4, longestStepUs: 50_000)
    let outcome = Result { try simulation.run() }
    var none = timespec()
    #expect(sigtimedwait(&held, nil, &none) == SIGTERM)
    #expect(throws: Never.self) { try outcome.get() }
  }

  @Test func theSameSeedIsTheSameRun() throws {
    var fingerprints: Set<UInt64> = []
    for _ in 0..<2 {
      var simulation = try Simulation(seed: 5, turns: 15, longestStepUs: 50_000)
      fingerprints.insert(try simulation.run().fingerprint)
    }
    #expect(fingerprints.count == 1)
  }
}
