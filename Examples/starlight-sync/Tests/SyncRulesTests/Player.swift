// SPDX-License-Identifier: Apache-2.0

import RulesUnderTest
import SeededNumbers
import SyncRules

/// Plays, and writes down what is to be done outside: "press 0" is a cue and its instant, "stop press 5" its end.
final class Player {
  var story: Story
  var chance = Seeded(seed: 7)

  /// A player who has reached that chapter, counted from 1 as people do, and starts at instant 0.
  init(chapter: Int, rules: Rules = .underTest, seed: UInt64 = 7) {
    story = Story(rules: rules, stored: Array("highestUnlockedChapter=\(chapter - 1)\n".utf8))
    chance = Seeded(seed: seed)
    _ = story.start(atUs: 0, using: &chance)
  }

  func act(_ act: Act, _ us: Int64) -> [String] { story.act(act, atUs: us, using: &chance).map(Self.text) }

  func pass(_ us: Int64) -> [String] { story.advance(toUs: us, using: &chance).map(Self.text) }

  func tell(_ telling: Telling, _ us: Int64) -> [String] {
    story.tell(telling, atUs: us, using: &chance).map(Self.text)
  }

  func start(_ us: Int64) -> [String] { story.start(atUs: us, using: &chance).map(Self.text) }

  func interrupt(_ us: Int64) -> [String] { story.interrupt(atUs: us, using: &chance).map(Self.text) }

  /// Interrupted, welcomed back and gone on, at these instants.
  func interrupt(_ us: Int64, endUs: Int64, goOnUs: Int64) -> [String] {
    var texts = interrupt(us)
    texts += story.interruptionEnded(atUs: endUs).map(Self.text)
    texts += pass(goOnUs)
    return texts + story.wentOn(atUs: goOnUs).map(Self.text)
  }

  /// The chapter that is seen, counted from 1.
  var chapter: Int { (story.scene?.chapter.rawValue ?? -1) + 1 }

  /// The highest chapter reached, as it is stored.
  var highest: Int { story.flow.highestUnlockedChapter.rawValue }

  static func text(_ outcome: Outcome) -> String {
    switch outcome {
    case .cue(let cue, let us): "\(cue.name) \(us)"
    case .stop(let cue, let us): "stop \(cue.name) \(us)"
    case .slider(let value, let us): "slider=\(value) \(us)"
    case .playMain(let us): "main \(us)"
    case .startChapter(let name, let us): "start \(name) \(us)"
    case .tap(let lane, let run, let us): "tap \(lane) \(run) \(us)"
    case .confetti(let us): "confetti \(us)"
    case .send(let attempt, _): "send \(attempt)"
    case .store(let chapter): "store \(chapter.rawValue)"
    case .saidReset: "reset"
    case .pause(let us): "pause \(us)"
    case .welcomeBack(let us, let untilUs): "welcome \(us) \(untilUs)"
    case .goOn(let us): "go on \(us)"
    }
  }
}
