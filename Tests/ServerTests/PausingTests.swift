// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Server

/// What was handed out to be sent at its instant is taken back by a pause, and sent as much later.
@Suite struct PausingTests {
  private func beat(_ number: Int, at us: Int64) -> OutgoingNotification {
    OutgoingNotification(
      RhythmBeat(beat: number, lane: nil), tUs: us, sendAtUs: us, uselessAfterUs: us + 100_000, group: "rhythm")
  }

  private func paused(from us: Int64) -> OutgoingNotification {
    OutgoingNotification(EnginePaused(sleep: false), tUs: us, standsFromUs: us)
  }

  private func resumed(at us: Int64, by length: Int64) -> OutgoingNotification {
    OutgoingNotification(EngineResumed(movedUs: length), tUs: us, goesOnByUs: length)
  }

  private func instants(_ lines: [String]) -> [Int64] {
    lines.compactMap { line in
      line.contains("rhythm.beat") ? line.firstMatch(of: #/"tUs":(\d+)/#).flatMap { Int64($0.1) } : nil
    }
  }

  @Test func aBeatBeforeItIsSentAndOneInItComesLater() throws {
    let rig = try Rig()
    let client = try rig.connect()
    _ = rig.exchange(client, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    rig.host.pending = [beat(1, at: 1_000), beat(2, at: 2_000), beat(3, at: 3_000), paused(from: 2_000)]
    rig.settle()
    // Announced while it stands: for before it, and for later.
    rig.host.pending = [beat(4, at: 1_500), beat(5, at: 4_000)]
    rig.settle()
    rig.host.steppedNow = Instant(microseconds: 10_000)
    rig.settle()
    #expect(instants(client.lines()) == [1_000, 1_500])
    rig.host.pending = [resumed(at: 12_000, by: 10_000)]
    rig.settle()
    #expect(instants(client.lines()).isEmpty)
    rig.host.steppedNow = Instant(microseconds: 20_000)
    rig.settle()
    #expect(instants(client.lines()) == [12_000, 13_000, 14_000])
  }

  @Test func whatIsRecalledMeanwhileDoesNotComeAfterIt() throws {
    let rig = try Rig()
    let client = try rig.connect()
    _ = rig.exchange(client, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    rig.host.pending = [beat(1, at: 3_000), paused(from: 2_000)]
    rig.settle()
    let score = Score(
      hits: 0, misses: 0, ghosts: 0, remaining: 1, assisted: false, medianErrorUs: nil, meanErrorUs: nil, spreadUs: nil)
    rig.host.pending = [
      OutgoingNotification(RhythmComplete(chapter: "x", stopped: true, score: score), tUs: 1_999, recalls: "rhythm"),
      resumed(at: 2_000, by: 0),
    ]
    rig.settle()
    rig.host.steppedNow = Instant(microseconds: 9_000)
    rig.settle()
    #expect(instants(client.lines()).isEmpty)
  }

  @Test func theBeatsThreadGivesBackWhatItHasNotSent() throws {
    let sender = BeatsSender(control: -1)
    sender.schedule(beat(1, at: 1_000), at: Instant(microseconds: 1_000))
    sender.schedule(beat(2, at: 2_000), at: Instant(microseconds: 2_000))
    #expect(sender.take(from: Instant(microseconds: 1_001)).map(\.tUs) == [2_000])
    #expect(sender.take(from: .zero).map(\.tUs) == [1_000])
  }

  // MARK: - Sleep

  @Test func withoutListenersAllGoesOnAtOnceAfterASleep() throws {
    let rig = try Rig()
    rig.server.follow(.goesToSleep)
    rig.server.follow(.isAwake)
    #expect(rig.host.sleep == ["prepare", "woke, alone"])
  }

  @Test func aListenerIsWaitedForAsLongAsItIsThere() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let other = try rig.connect()
    _ = rig.exchange(client, #"{"id":1,"method":"events.subscribe","params":{"topics":["engine"]}}"# + "\n")
    _ = rig.exchange(other, #"{"id":1,"method":"events.subscribe","params":{"topics":["music"]}}"# + "\n")
    rig.server.follow(.goesToSleep)
    rig.server.follow(.isAwake)
    rig.settle()
    #expect(rig.host.sleep == ["prepare", "woke, listening"])
    client.stopSending()
    rig.settle()
    #expect(rig.host.sleep == ["prepare", "woke, listening", "end"])
    rig.settle()
    #expect(rig.host.sleep.count == 3)
  }
}
