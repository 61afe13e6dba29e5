// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing
import Wire

@testable import Host

/// Taps about a chapter that is held: what was taken counts, however often it is held.
@Suite struct HoldAndTapTests {
  /// With help, which four misses bring, so that a tap ahead of now may wait for its stamp.
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1", "tracks": {"main": {"file": "main.wav", "bpm": 120}},
     "chapters": {"one": {"title": "One", "track": "main", "length": 2.9, "window": 0.12, "grace": 0.05,
       "assist": {"after": 4, "window": 0.3}, "spawnLead": 1,
       "beats": [{"at": 0.5}, {"at": 0.85}, {"at": 1.2}, {"at": 2.4}]}}}
    """

  private func judgements(of rig: HostRig) throws -> [(tUs: Int64, verdict: JudgementKind)] {
    try rig.told(RhythmJudgement.self).map { ($0.tUs, $0.payload.verdict) }
  }

  /// A run behind the cell of its first beat, and within the grace of that, which is then held so often in its count-in that no song goes
  /// by.
  private func held(times: Int) throws -> (rig: HostRig, started: RhythmStart.Result) {
    let rig = try HostRig(manifest: Self.manifest, files: ["main"])
    let started: RhythmStart.Result = try rig.result("rhythm.start", #"{"chapter":"one"}"#)
    rig.step(microseconds: started.startUs + 640_000 - rig.host.now.microseconds)
    for _ in 0..<times {
      _ = try rig.result("rhythm.pause") as RhythmPause.Result
      rig.step(microseconds: 300_000)
      let resumed: RhythmResume.Result = try rig.result("rhythm.resume", #"{"countInBeats":1}"#)
      rig.step(microseconds: resumed.goesOnUs - 100_000 - rig.host.now.microseconds)
    }
    return (rig, started)
  }

  /// At a place in a cell of a beat, where the tap is judged at once, and at one in none, where it waits.
  @Test(arguments: [1_150_000, 1_500_000] as [Int64], [0, 500, 1_900])
  func aTapThatWasTakenIsBeforeThePauseThatComesBehindIt(placeUs: Int64, laterUs: Int64) throws {
    let rig = try HostRig(manifest: Self.manifest, files: ["main"])
    let started: RhythmStart.Result = try rig.result("rhythm.start", #"{"chapter":"one"}"#)
    rig.step(microseconds: started.startUs + placeUs - rig.host.now.microseconds)
    _ = rig.host.takeNotifications()
    let stamp = rig.host.now.microseconds + 1_900
    let tap: RhythmTap.Result = try rig.result("rhythm.tap", #"{"atUs":\#(stamp)}"#)
    #expect((tap.verdict == .hit) == (placeUs == 1_150_000))
    rig.step(microseconds: laterUs)
    let paused: RhythmPause.Result = try rig.result("rhythm.pause")
    #expect(paused.pausedUs > stamp)
    // What is stamped in the pause is refused, and nothing of before it is told of as behind it.
    #expect(rig.ask("rhythm.tap", #"{"atUs":\#(paused.pausedUs)}"#).contains(#""kind":"notRunning""#))
    rig.step(microseconds: 5_000_000)
    let resumed: RhythmResume.Result = try rig.result("rhythm.resume", #"{"countInBeats":0}"#)
    rig.step(microseconds: resumed.goesOnUs - rig.host.now.microseconds + 50_000)
    let told = try judgements(of: rig)
    #expect(told.filter { $0.verdict != .miss }.map(\.tUs) == [stamp])
    let status: RhythmStatus.Result = try rig.result("rhythm.status")
    #expect(status.score.hits == (placeUs == 1_150_000 ? 1 : 0))
  }

  @Test(arguments: [1, 15, 16, 17, 64, 65, 100])
  func aTapOfBeforeItWasHeldCountsHoweverOftenThatIs(holds: Int) throws {
    let (rig, started) = try held(times: holds)
    let tap: RhythmTap.Result = try rig.result("rhythm.tap", #"{"atUs":\#(started.startUs + 600_000)}"#)
    #expect(tap.verdict == .hit && tap.errorUs == 100_000)
  }

  @Test(arguments: [16, 100])
  func aMissOfBeforeItWasHeldIsToldForItsInstantHoweverOftenThatIs(holds: Int) throws {
    let (rig, started) = try held(times: holds)
    _ = rig.host.takeNotifications()
    rig.step(microseconds: 500_000)
    let told = try judgements(of: rig)
    #expect(told.first?.verdict == .miss && told.first?.tUs == started.startUs + 620_000)
  }

  /// More pauses of the engine than are remembered: what is stamped before those that are forgotten is refused, and never judged elsewhere.
  @Test(arguments: [63, 64, 65, 70])
  func aTapIsNeverJudgedAtAnotherInstantForPausesThatAreForgotten(pauses: Int) throws {
    let (rig, started) = try held(times: 0)
    _ = try rig.result("rhythm.pause") as RhythmPause.Result
    rig.step(microseconds: 10_000)
    for _ in 0..<pauses {
      _ = rig.ask("engine.pause")
      rig.step(microseconds: 20_000)
      _ = rig.ask("engine.resume")
      rig.step(microseconds: 20_000)
    }
    let reply = rig.ask("rhythm.tap", #"{"atUs":\#(started.startUs + 600_000)}"#)
    #expect(
      pauses <= EngineClock.most
        ? reply.contains(#""errorUs":100000"#) : reply.contains(#""kind":"paused""#), "\(reply)")
  }
}
