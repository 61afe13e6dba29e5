// SPDX-License-Identifier: Apache-2.0

import Timing

extension Life {
  /// What is felt of it.
  mutating func tellTouch(_ records: LifeRecords, now: Instant) {
    for player in records.players {
      stages.append(Stage(.handedOver, over: player.at, part: player.player))
      // Whatever is written from then on is of something else.
      if records.isUnbegun(player.player) { continue }
      for device in Set(records.writes.map(\.device)).sorted() {
        let own = records.writes.filter { $0.device == device }
        let earlier = Interval.milliseconds(1)
        // The device may be quicker than control is to note that it was told, but not than its line.
        let told = max(player.at - earlier, records.line?.begun ?? .distantPast)
        let found = own.firstIndex { $0.felt >= player.felt - earlier && ($0.done ?? now) >= told }
        guard let index = found else {
          // Nothing was written since: the device has not answered what came before.
          if let last = own.last, last.done == nil, now - player.felt > Life.tolerance {
            tellHanging(last, player, now)
          }
          continue
        }
        // Of what ends there may be nothing to write; what comes later is of something else.
        if player.player == nil, own[index].felt > player.felt + earlier { continue }
        tell(own[index], after: index > 0 ? own[index - 1] : nil, player, now, records)
      }
    }
  }

  private mutating func tellHanging(
    _ write: LifeRecords.Write, _ player: (player: UInt64?, felt: Instant, at: Instant), _ now: Instant
  ) {
    stages.append(
      Stage(.written, begun: write.woken, over: nil, late: now - player.felt, part: player.player, device: write.device)
    )
    blame(.hapticDevice, now - write.woken, device: write.device)
  }

  private mutating func tell(
    _ write: LifeRecords.Write, after before: LifeRecords.Write?,
    _ player: (player: UInt64?, felt: Instant, at: Instant), _ now: Instant, _ records: LifeRecords
  ) {
    let lead = write.felt - write.due
    let due = player.felt - lead
    guard let done = write.done else { return tellHanging(write, player, now) }
    stages.append(
      Stage(.written, begun: write.woken, over: done, late: done - due, part: player.player, device: write.device))
    blame(.hapticDevice, done - write.woken, device: write.device)
    let waited = write.woken - max(due, player.at)
    if let before, let end = before.done, end > due, end - before.woken > Life.tolerance {
      // The thread was in the device when it should have written this.
      blame(.hapticDevice, min(waited, end - before.woken), device: write.device)
    } else {
      blame(records.known(.hapticDescheduled, from: due), write.woken - max(write.due, player.at), device: write.device)
    }
  }
}
