// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Synchronization
import Testing

private func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

/// How nice threads are, as each finds itself.
private final class Findings: Sendable {
  private let found = Mutex<[String: Int32]>([:])

  var all: [String: Int32] { found.withLock { $0 } }

  func note(_ thread: String) {
    let own = niceness()
    found.withLock { $0[thread] = own }
  }
}

@Suite struct NicenessTests {
  @Test func whoGoesBeforeOthersStartsThreadsThatDoNot() throws {
    let findings = Findings()
    let isPermitted = Atomic(false)
    let before = niceness()
    // It stays so: not on a thread of the tests.
    try RealTimeThread(name: "first", priority: nil) {
      let permitted = goBeforeOthers()
      isPermitted.store(permitted, ordering: .relaxed)
      findings.note("first")
      let usual = try? RealTimeThread(name: "usual", priority: nil) { findings.note("usual") }
      usual?.join()
      findings.note("first again")
    }.join()
    let first: Int32 = isPermitted.load(ordering: .relaxed) ? -11 : before
    #expect(findings.all == ["first": first, "usual": max(before, 0), "first again": first])
    #expect(niceness() == before)
  }
}
