// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// Control stood still while a chapter ran.
@Suite struct StallTests {
  private func told(_ actions: [EngineAction]) -> [String] {
    actions.compactMap { action in
      guard case .notify(let notification, _) = action, notification.topic == .rhythm else { return nil }
      let line = String(decoding: notification.line(seq: 0), as: UTF8.self)
      let name = line.split(separator: "\"rhythm.").dropFirst().first?.prefix { $0 != "\"" } ?? ""
      let verdict = line.split(separator: "\"verdict\":\"").dropFirst().first?.prefix { $0 != "\"" } ?? ""
      return "\(name) \(verdict)".trimmingPrefix(" ") + " \(notification.tUs)"
    }
  }

  /// A chapter that begins at the instant, 0.7 s on; its first beat, at 1 s, is due at 1.2 s.
  private func begun() throws -> (EngineFixture, startUs: Int64) {
    var fixture = try EngineFixture()
    let start = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon).startUs
    _ = fixture.run(to: start + 700_000)
    return (fixture, start)
  }

  /// The same where clients were heard up to then only, and control comes by at 1.5 s.
  private func unheard() throws -> (EngineFixture, startUs: Int64) {
    var (fixture, start) = try begun()
    fixture.engine.listenedTo = Instant(microseconds: start + 700_000)
    fixture.output = EngineFixture.output(at: start + 1_500_000)
    return (fixture, start)
  }

  @Test func beatsOfAStallAreVoidOrHitAndThoseLongHeardAreNotTold() throws {
    var (fixture, start) = try begun()
    let from = fixture.output.now
    fixture.output = EngineFixture.output(at: start + 2_250_000)
    let now = fixture.output.now
    fixture.engine.stalled(from: from, to: now)
    let tap = try fixture.engine.tap(RhythmTap.Params(atUs: start + 2_000_007), arrival: now)
    #expect(tap.verdict == .held)
    fixture.engine.advance()
    #expect(
      told(fixture.engine.takeActions())
        == [
          "judgement void \(start + 1_150_000)", "judgement hit \(start + 2_000_007)",
        ])
    let status = fixture.engine.chapterStatus().score
    #expect([status.hits, status.misses, status.voided, status.remaining] == [1, 0, 1, 0])
  }

  @Test func aBeatHeardATenthOfASecondAgoIsStillTold() throws {
    for (late, count) in [(Int64(100_000), 1), (100_001, 0)] {
      var (fixture, start) = try begun()
      fixture.output = EngineFixture.output(at: start + 1_000_000 + late)
      fixture.engine.advance()
      #expect(told(fixture.engine.takeActions()).count { $0.hasPrefix("beat") } == count)
    }
  }

  @Test func whatClientsWereNotHeardForIsNotSettled() throws {
    var (fixture, start) = try unheard()
    let now = fixture.output.now
    fixture.engine.advance()
    #expect(told(fixture.engine.takeActions()).allSatisfy { !$0.hasPrefix("judgement") })
    let tap = try fixture.engine.tap(RhythmTap.Params(atUs: start + 1_000_007), arrival: now)
    #expect(tap.verdict == .hit && tap.errorUs == 7)
    fixture.engine.listenedTo = now
    fixture.engine.advance()
    let status = fixture.engine.chapterStatus().score
    #expect([status.hits, status.misses, status.voided] == [1, 0, 0])
  }

  /// Nobody is heard for it any more.
  @Test func aChapterThatIsStoppedIsSettledUpToThen() throws {
    var (fixture, _) = try unheard()
    #expect(try fixture.engine.stopChapter(by: .daemon).score.misses == 1)
  }
}
