// SPDX-License-Identifier: Apache-2.0

import Mixing
import SeededNumbers
import Testing

/// Owners that begin voices whenever they like, some of them faster than what is sent off fades.
@Suite struct RandomSlotTests {
  @Test func whoHasFewerSlotsThanItsOwnFindsOneWhateverOthersBegin() throws {
    try search(upTo: 30) { random in
      let own = 1 + random.next(below: 4)
      let owners = 3 + random.next(below: 8)
      let studio = Studio(
        MixerConfiguration(
          effectVoices: 4 + random.next(below: 8), effectReserve: owners * own + random.next(below: 24),
          slotsOfAnOwner: own, owners: owners))
      let dc = studio.constant(0.001)
      // Voices that were begun and are not known to be over, those that fade out included.
      var held: [VoiceID: UInt64] = [:]
      var owed: Set<VoiceID> = []
      var (frame, seen): (Int64, Int) = (0, 0)
      for _ in 0..<40 {
        let greedy = UInt64(1 + random.next(below: owners))
        // One after the other, so that whoever is asked first comes first.
        for at in (0..<random.next(below: 40)).map({ _ in frame + Int64(random.next(below: 60)) }).sorted() {
          let owner = random.oneIn(4) ? UInt64(1 + random.next(below: owners)) : greedy
          let isOwed = held.values.count { $0 == owner } < own
          let voice = studio.start(dc, at: at, owner: owner, user: UInt32(owner % 3))
          held[voice] = owner
          if isOwed { owed.insert(voice) }
        }
        let length = 60 + random.next(below: 300)
        _ = studio.render(length)
        frame += Int64(length)
        for event in studio.events[seen...] {
          guard case .finished(let voice, let at, let reason) = event else { continue }
          try hold(
            reason != .rejected || !owed.contains(voice),
            "of \(own) slots owner \(held[voice] ?? 0) had fewer, and found none at \(at)")
          held[voice] = nil
        }
        seen = studio.events.count
      }
    }
  }
}
