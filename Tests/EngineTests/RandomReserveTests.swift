// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing
import Timing
import Wire

@testable import Engine

/// Chapters that are played where clients have planned all that they may.
@Suite struct RandomReserveTests {
  private static func cause(_ client: UInt64) -> Cause {
    Cause(client: ClientID(rawValue: client), user: UInt32(client % 5))
  }

  /// All clients plan, in any order and by any portions, until not a step of theirs is granted, for now or later.
  private func plan(_ fixture: inout EngineFixture, using random: inout SeededRandom) {
    var clients = Array(1...10 as ClosedRange<UInt64>)
    while !clients.isEmpty {
      let place = random.next(below: clients.count)
      let (cause, isUrgent) = (Self.cause(clients[place]), random.oneIn(2))
      let portion = 1 + random.next(below: 700)
      if (try? fixture.engine.shares.take(portion, for: cause, isUrgent: isUrgent)) != nil { continue }
      var isFull = true
      for isUrgent in [false, true] where (try? fixture.engine.shares.take(1, for: cause, isUrgent: isUrgent)) != nil {
        isFull = false
      }
      if isFull { clients.remove(at: place) }
    }
  }

  @Test func aChapterAndItsFeedbackFindRoomThoughClientsHavePlannedAllThatTheyMay() throws {
    try search(upTo: 20) { random in
      var fixture = try EngineFixture(
        cues: #""hit": {"steps": [{"sound": "click"}, {"at": 0.3, "sound": "word"}]}"#, feedback: "hit")
      let isLate = random.oneIn(2)
      if !isLate { plan(&fixture, using: &random) }
      let player = Self.cause(UInt64(random.integer(1...10)))
      let atUs = random.oneIn(3) ? nil : fixture.output.now.microseconds + random.integer(50_000...500_000)
      let params = RhythmStart.Params(chapter: "tap", atUs: atUs)
      let started = try fixture.engine.startChapter(params, by: player)
      if isLate { plan(&fixture, using: &random) }
      var actions: [EngineAction] = []
      var hits = 0
      for beatUs in [1_000_000, 2_000_000] as [Int64] where !random.oneIn(4) {
        actions += fixture.run(to: started.startUs + beatUs + random.integer(-20_000...20_000))
        let tap = RhythmTap.Params(atUs: fixture.output.now.microseconds)
        let judged = try fixture.engine.tap(tap, arrival: fixture.output.now)
        try hold(judged.verdict == .hit, "a tap on a beat is \(judged)")
        fixture.engine.fireAwaitedFeedback()
        hits += 1
      }
      actions += fixture.run(to: started.startUs + 4_000_000)
      let begun = actions.audio.compactMap(\.trackStart).count
      try hold(begun == 1, "the chapter's music began \(begun) times")
      let heard = actions.soundStarts.count
      try hold(heard == 2 * hits, "of \(hits) hits \(heard) sounds are heard")
    }
  }
}
