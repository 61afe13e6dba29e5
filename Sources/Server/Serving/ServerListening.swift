// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Timing

/// Nothing that clients may have tapped is settled before they are heard: however long control stood still, and wherever in its
/// turn, what came in time was read and served by then.
extension Server {
  /// Reads the clock that the engine goes on by, and hears clients for what is to be settled by it. Control may stand still up to
  /// that very reading.
  func beginHostRun() {
    var hasListened = false
    while case let now = host.beginRun(), host.clockKind == .live {
      if let stall = stalls.pass(at: now) {
        recover(from: stall)
      } else if !hasListened, host.isWaitingForClients(at: now) {
        hasListened = true
        hearClients(Self.longestHearing)
      } else {
        return
      }
    }
  }

  /// Control stood still: all that came in meanwhile is read and served before the engine goes on, so that taps count at
  /// their stamps.
  package func recover(from stall: ClosedRange<Instant>) {
    tell(stall)
    hearClients(Self.longestAfterStall)
  }

  /// The most that may be served after a stall before the engine goes on.
  private static let longestAfterStall = Interval.milliseconds(50)

  /// The most that may be served between two turns, so that the engine goes on: what is left is heard by one of the next.
  private static let longestHearing = Interval.milliseconds(1)

  private func tell(_ stall: ClosedRange<Instant>) {
    let length = (stall.upperBound - stall.lowerBound).microseconds / 1_000
    log(.warning, "control stood still for \(length) ms; beats of that time are void where nobody tapped them")
    host.stalled(from: stall.lowerBound, to: stall.upperBound)
  }

  /// Looks for what clients have sent by now and serves it, for at most `budget` and one line more.
  private func hearClients(_ budget: Interval) {
    looking.leavesUnread = false
    // Before the look: what comes behind it may not be seen by it, however long control stands in between.
    let lookedAt = host.now
    // Of whom no more was read while lines of it waited is looked at, where none does any more.
    watchClients()
    take(loop.look())
    if connections.values.contains(where: { $0.interest == nil }) {
      // Who comes for one tap has sent it already.
      watchClients()
      take(loop.look())
    }
    for connection in connections.values { connection.endServingRest() }
    serve(budget)
    guard host.clockKind == .live else { return }
    if !looking.leavesUnread {
      for connection in connections.values where !connection.leavesSomething { connection.heardUpTo = lookedAt }
    }
    let last = connections.values.lazy.map { $0.heardUpTo }.min() ?? (looking.leavesUnread ? hearing.heard : lookedAt)
    host.heardClients(upTo: hearing.looked(at: lookedAt, last: last))
  }
}
