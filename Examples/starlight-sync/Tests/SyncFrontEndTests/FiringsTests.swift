// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SyncFrontEnd

/// Cues that are planned, moved and stopped, by numbers that come a frame later.
@Suite struct FiringsTests {
  private func pressed() -> Firings {
    var firings = Firings(leftOut: [])
    firings.beginBatch()
    #expect(firings.fire("press", atUs: 1_000, nowUs: 1_000) == [.fire("press", atUs: nil)])
    firings.asked("press", ticket: 7)
    #expect(firings.fire("snap", atUs: 3_001_000, nowUs: 1_000) == [])
    return firings
  }

  @Test func whatIsPlannedKeepsItsDistanceFromWhatIsHeardLaterThanAsked() {
    var firings = pressed()
    #expect(firings.answered(7, id: 70, beginsUs: 5_000) == [.fire("snap", atUs: 3_005_000)])
  }

  @Test func whatIsStoppedBeforeItsNumberIsKnownIsStoppedWhenItIs() {
    var firings = pressed()
    #expect(firings.stop("press") == [])
    #expect(firings.stop("snap") == [])
    #expect(firings.answered(7, id: 70, beginsUs: 5_000) == [.stop(id: 70)])
  }

  @Test func whatIsStoppedLaterIsStoppedByItsNumber() {
    var firings = pressed()
    _ = firings.answered(7, id: 70, beginsUs: 1_000)
    firings.asked("snap", ticket: 8)
    _ = firings.answered(8, id: 80, beginsUs: 3_001_000)
    #expect(firings.stop("press") == [.stop(id: 70)])
    #expect(firings.stop("snap") == [.stop(id: 80)])
    #expect(firings.stop("snap") == [])
  }

  @Test func whatIsNotDoneHoldsUpNothing() {
    var firings = pressed()
    #expect(firings.answered(7, id: nil, beginsUs: nil) == [.fire("snap", atUs: 3_001_000)])
    #expect(firings.stop("press") == [])
  }

  @Test func aDaemonThatIsNewKnowsOfNoNumber() {
    var firings = pressed()
    firings.forget()
    #expect(firings.answered(7, id: 70, beginsUs: 5_000) == [])
    #expect(firings.stop("press") == [])
  }
}
