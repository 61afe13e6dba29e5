// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import Host

/// How taps and beats are judged is told where somebody hears it, and is not made where nobody does.
@Suite struct UntoldJudgementTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "cues": {"hit": {"steps": [{"sound": "sfx_click"}]}},
     "chapters": {"one": {"title": "One", "track": "main", "length": 2.5,
       "beats": [{"at": 0.5}, {"at": 1}, {"at": 1.5}, {"at": 2}], "feedback": {"hit": "hit"}}}}
    """

  /// What is told of a chapter of which the first beat is hit and the second missed, with a tap beside both.
  private func played(_ topics: Set<Topic>, journal: Bool = false) throws -> (told: [String], score: Score) {
    let rig = try HostRig(
      manifest: Self.manifest,
      configure: { configuration in
        if journal { configuration.journalPath = configuration.packFolders[0] + "/journal" }
      })
    rig.host.topics = topics
    let started: RhythmStart.Result = try rig.result("rhythm.start", #"{"chapter":"one"}"#)
    for (after, verdict) in [(200_000, TapVerdictKind.ghost), (500_000, .hit)] {
      rig.step(microseconds: started.startUs + Int64(after) - rig.host.now.microseconds)
      let tapped: RhythmTap.Result = try rig.result("rhythm.tap")
      #expect(tapped.verdict == verdict)
    }
    rig.step(microseconds: 800_000)
    let told = rig.host.takeTellings().map { String(decoding: $0.notification.line(seq: 1), as: UTF8.self) }
    let status: RhythmStatus.Result = try rig.result("rhythm.status")
    return (told, status.score)
  }

  private func judgements(_ told: [String]) -> Int { told.filter { $0.contains("\"rhythm.judgement\"") }.count }

  @Test func theyAreToldToWhoeverHearsThem() throws {
    let (told, score) = try played([.rhythm])
    #expect(judgements(told) == 3)
    #expect(score.hits == 1 && score.misses == 1 && score.ghosts == 1)
  }

  @Test func whereNobodyDoesTheyCountAllTheSame() throws {
    let (told, score) = try played([.sound, .cue])
    #expect(judgements(told) == 0)
    #expect(score.hits == 1 && score.misses == 1 && score.ghosts == 1)
    // What answers them is heard, and told.
    #expect(told.contains { $0.contains("\"cue.fired\"") })
  }

  @Test func whoComesAndGoesInTheMiddleHearsThemMeanwhile() throws {
    let rig = try HostRig(manifest: Self.manifest)
    let started: RhythmStart.Result = try rig.result("rhythm.start", #"{"chapter":"one"}"#)
    // A tap beside each beat, which is a ghost; the beats are missed half a second behind.
    let heard = try [Set<Topic>([]), [.rhythm], [], [.rhythm, .sound], [.sound]].enumerated().map { index, topics in
      rig.step(microseconds: started.startUs + 250_000 + 500_000 * Int64(index) - rig.host.now.microseconds)
      _ = rig.host.takeTellings()
      rig.host.topics = topics
      let tapped: RhythmTap.Result = try rig.result("rhythm.tap")
      #expect(tapped.verdict == .ghost)
      rig.step(microseconds: 490_000)
      return judgements(rig.host.takeTellings().map { String(decoding: $0.notification.line(seq: 1), as: UTF8.self) })
    }
    // One of a tap and one of a beat each.
    #expect(heard == [0, 2, 0, 2, 0])
  }

  @Test func aJournalHasThemHoweverFewListen() throws {
    let (told, _) = try played([], journal: true)
    #expect(judgements(told) == 3)
  }
}
