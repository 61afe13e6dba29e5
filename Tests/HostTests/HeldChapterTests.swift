// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Wire

@testable import Host

/// Chapters that are held while the engine is paused: what is told of them on the clock.
@Suite struct HeldChapterTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav", "bpm": 120}},
     "chapters": {"one": {"title": "One", "track": "main", "length": 2.9, "spawnLead": 1,
       "beats": [{"at": 0.4}, {"at": 1.1}, {"at": 1.4}, {"at": 1.7}, {"at": 2.4}]}}}
    """

  /// Of what pauses and resumptions answer: when a chapter goes on.
  private struct Answered: Codable, Sendable { var goesOnUs: Int64? }

  private struct Held {
    let rig: HostRig
    let started: RhythmStart.Result
    let paused: RhythmPause.Result
    let engineAtUs: Int64
    let engineMovedUs: Int64
  }

  /// The chapter is held in its song, and the engine stands for five seconds while it is.
  private func held() throws -> Held {
    let rig = try HostRig(manifest: Self.manifest, files: ["main"])
    let started: RhythmStart.Result = try rig.result("rhythm.start", #"{"chapter":"one"}"#)
    rig.step(microseconds: started.startUs + 900_000 - rig.host.now.microseconds)
    let paused: RhythmPause.Result = try rig.result("rhythm.pause")
    rig.step(microseconds: 600_000)
    let engine: PauseState = try rig.result("engine.pause")
    rig.step(microseconds: 5_000_000)
    let resumed: EngineResume.Result = try rig.result("engine.resume")
    rig.step(microseconds: 200_000)
    return Held(
      rig: rig, started: started, paused: paused, engineAtUs: engine.atUs,
      engineMovedUs: try #require(resumed.movedUs))
  }

  @Test func whatIsToComeStaysInOnePieceWhileTheEnginePauses() throws {
    let held = try held()
    // Two lie before the instant at which the engine stood, and two behind.
    let beats = [1_100_000, 1_400_000, 1_700_000, 2_400_000].map { held.started.startUs + $0 }
    #expect(beats[1] < held.engineAtUs && held.engineAtUs < beats[2])
    let status: RhythmStatus.Result = try held.rig.result("rhythm.status")
    #expect(status.startUs == held.started.startUs && status.pausedUs == held.paused.pausedUs)
    #expect(status.beatsInSight.map(\.beatUs) == Array(beats.prefix(3)))
  }

  /// Of a beat that was heard just before a pause and is open behind it a tap's error counts from where it is told to lie.
  @Test(arguments: [["engine"], ["rhythm"], ["engine", "rhythm"], ["rhythm", "engine"]])
  func aBeatThatIsOpenBehindAPauseIsToldWhereATapIsJudgedFrom(pauses: [String]) throws {
    let rig = try HostRig(manifest: Self.manifest, files: ["main"])
    let started: RhythmStart.Result = try rig.result("rhythm.start", #"{"chapter":"one"}"#)
    rig.step(microseconds: started.startUs + 410_000 - rig.host.now.microseconds)
    for pause in pauses {
      let _: Answered = try rig.result(pause + ".pause")
      rig.step(microseconds: 100_000)
      let resumed: Answered = try rig.result(pause + ".resume", pause == "rhythm" ? #"{"countInBeats":0}"# : "{}")
      rig.step(microseconds: max(0, (resumed.goesOnUs ?? 0) - rig.host.now.microseconds) + 10_000)
    }
    let status: RhythmStatus.Result = try rig.result("rhythm.status")
    let first = try #require(status.beatsInSight.first)
    let startUs = try #require(status.startUs)
    #expect(first.beat == 0 && first.beatUs == startUs + 400_000)
    let tapUs = rig.host.now.microseconds
    let tap: RhythmTap.Result = try rig.result("rhythm.tap", #"{"atUs":\#(tapUs)}"#)
    #expect(tap.beat == 0 && tap.errorUs == tapUs - first.beatUs)
  }

  @Test func allThatWasToldAndWasNotPastComesLaterByWhatIsTold() throws {
    let held = try held()
    let rig = held.rig
    _ = rig.host.takeNotifications()
    let resumed: RhythmResume.Result = try rig.result("rhythm.resume", #"{"countInBeats":0}"#)
    #expect(resumed.movedUs == resumed.goesOnUs - held.paused.pausedUs)
    #expect(resumed.movedUs > held.engineMovedUs)
    #expect(resumed.startUs == held.started.startUs + resumed.movedUs)
    #expect(resumed.endUs == held.started.endUs + resumed.movedUs)
    rig.step(microseconds: 2_500_000)
    let beats = try rig.told(RhythmBeat.self)
    #expect(
      beats.map(\.tUs)
        == [1_100_000, 1_400_000, 1_700_000, 2_400_000].map { held.started.startUs + $0 + resumed.movedUs })
  }

  /// The engine stands when the chapter is let go, and goes on behind that.
  @Test func letGoInAPauseOfTheEngineItMovesByThatAsAllDoes() throws {
    let rig = try HostRig(manifest: Self.manifest, files: ["main"])
    let started: RhythmStart.Result = try rig.result("rhythm.start", #"{"chapter":"one"}"#)
    rig.step(microseconds: started.startUs + 900_000 - rig.host.now.microseconds)
    let paused: RhythmPause.Result = try rig.result("rhythm.pause")
    rig.step(microseconds: 300_000)
    _ = rig.ask("engine.pause")
    rig.step(microseconds: 1_000_000)
    let resumed: RhythmResume.Result = try rig.result("rhythm.resume", #"{"countInBeats":0}"#)
    #expect(resumed.movedUs == resumed.goesOnUs - paused.pausedUs)
    rig.step(microseconds: 1_000_000)
    let engine: EngineResume.Result = try rig.result("engine.resume")
    let engineMoved = try #require(engine.movedUs)
    _ = rig.host.takeNotifications()
    rig.step(microseconds: 2_500_000)
    let beats = try rig.told(RhythmBeat.self)
    #expect(beats.first?.tUs == started.startUs + 1_100_000 + resumed.movedUs + engineMoved)
  }

  /// Also of a run in which the engine was paused before.
  @Test func whatIsToldOfAHeldRunCountsFromTheBeginningThatIsInForce() throws {
    let rig = try HostRig(manifest: Self.manifest, files: ["main"])
    _ = rig.ask("rhythm.start", #"{"chapter":"one"}"#)
    rig.step(microseconds: 700_000)
    _ = rig.ask("engine.pause")
    rig.step(microseconds: 2_000_000)
    _ = rig.ask("engine.resume")
    rig.step(microseconds: 200_000)
    let before: RhythmStatus.Result = try rig.result("rhythm.status")
    _ = rig.host.takeNotifications()
    let paused: RhythmPause.Result = try rig.result("rhythm.pause")
    rig.step(microseconds: 200_000)
    rig.host.clientLeft(ClientID(rawValue: 1))
    let changes = try rig.told(RhythmChanged.self)
    #expect(changes.map(\.payload.change) == [.paused, .unattended])
    for (tUs, changed) in changes {
      #expect(changed.startUs == before.startUs && changed.pausedUs == paused.pausedUs, "\(changed)")
      #expect(changed.positionUs == min(tUs, paused.pausedUs) - changed.startUs, "\(changed)")
    }
  }
}
