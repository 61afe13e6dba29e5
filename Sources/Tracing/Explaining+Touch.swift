// SPDX-License-Identifier: Apache-2.0

import Timing

extension Life {
  /// What is felt of it.
  mutating func tellTouch(_ records: LifeRecords, now: Instant) {
    for player in records.players {
      stages.append(Stage(.handedOver, over: player.at, part: player.part))
      // Whatever is written from then on is of something else.
      if records.isUnbegun(player.player) { continue }
      for device in Set(records.writes.map(\.device)).sorted() {
        let own = records.writes.filter { $0.device == device }
        // The device may be quicker than control is to note that it was told, but not than its line.
        let told = max(player.at - Self.moment, records.line?.begun ?? .distantPast)
        let known = own.indices.filter { (own[$0].done ?? now) >= told }
        // Where nothing is written what is felt stays as it is: what comes later is of something else.
        let exact = known.first { own[$0].felt == player.first }
        if let index = exact ?? known.first(where: { own[$0].holds(player.first) }) {
          tell(own[index], after: index > 0 ? own[index - 1] : nil, player, now, records)
        } else if let last = own.last, last.done == nil, now - player.first > Life.tolerance {
          // Nothing was written since: the device has not answered what came before.
          tellHanging(last, player, now)
        }
      }
    }
  }

  private mutating func tellHanging(_ write: LifeRecords.Write, _ player: LifeRecords.Player, _ now: Instant) {
    stages.append(
      Stage(
        .written, begun: write.woken, over: nil, late: now - player.first, part: player.part, device: write.device))
    blame(.hapticDevice, now - write.woken, device: write.device)
  }

  private mutating func tell(
    _ write: LifeRecords.Write, after before: LifeRecords.Write?, _ player: LifeRecords.Player, _ now: Instant,
    _ records: LifeRecords
  ) {
    let due = player.first - write.lead
    guard let done = write.done else { return tellHanging(write, player, now) }
    stages.append(
      Stage(.written, begun: write.woken, over: done, late: done - due, part: player.part, device: write.device))
    blame(.hapticDevice, done - write.woken, device: write.device)
    let waited = write.woken - max(due, player.at)
    if let before, let end = before.done, end > due, end - before.woken > Life.tolerance {
      // The thread was in the device when it should have written this.
      blame(.hapticDevice, min(waited, end - before.woken), device: write.device)
    } else {
      blame(records.known(.hapticDescheduled, from: due), write.woken - max(write.due, player.at), device: write.device)
    }
  }

  /// How far two notes of one thing may lie apart.
  fileprivate static var moment: Interval { .milliseconds(1) }
}

extension LifeRecords.Write {
  /// How long before it is felt the device is to be told.
  fileprivate var lead: Interval { felt - due }

  /// Whether what is first felt at `instant` is written by this one, if it is by any: the strongest of a `spacing` is written at its
  /// beginning, or at its end where it was not known by then, and a thread that woke late writes all at once.
  fileprivate func holds(_ instant: Instant) -> Bool {
    let end = max(felt + spacing, woken + lead)
    return instant <= end + Life.moment && (tookLate || instant >= felt - spacing - Life.moment)
  }
}
