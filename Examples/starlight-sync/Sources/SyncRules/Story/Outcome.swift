// SPDX-License-Identifier: Apache-2.0

/// What is to be done outside because of what happened in the game.
public enum Outcome: Equatable, Sendable {
  /// To be heard and felt, at this instant, which may lie ahead.
  case cue(Cue, atUs: Int64)
  /// The cue that was fired last under this name is to be called off, and ended where it has begun.
  case stop(Cue, atUs: Int64)
  /// The parameter `slider`: where the finger is, 0 to 1.
  case slider(Double, atUs: Int64)
  /// The track `audio_bgm_main` is to play: a chapter is entered to which no other brought it.
  case playMain(atUs: Int64)
  /// The chapter of the pack is to be started, anew where it runs.
  case startChapter(String, atUs: Int64)
  /// A tap for the daemon to judge.
  case tap(Lane, run: Int64, atUs: Int64)
  case confetti(atUs: Int64)
  /// The message is to be sent, in the background; `Story.message` is to be told what comes of it. What is not answered within
  /// that time has failed.
  case send(attempt: Int, withinUs: Int64)
  /// To be stored now, whole (`Checkpoint.bytes`).
  case store(Chapter)
  /// What was stored could not be read, and the game begins anew: to be said once.
  case saidReset
  /// All that the daemon plays is to pause.
  case pause(atUs: Int64)
  /// "Welcome back" stands, until then.
  case welcomeBack(atUs: Int64, untilUs: Int64)
  /// All that the daemon plays is to go on; `Story.wentOn` is to be told when it does.
  case goOn(atUs: Int64)

  /// The same so much later, where it has an instant.
  func later(byUs: Int64) -> Outcome {
    switch self {
    case .cue(let cue, let us): .cue(cue, atUs: us + byUs)
    case .stop(let cue, let us): .stop(cue, atUs: us + byUs)
    case .slider(let value, let us): .slider(value, atUs: us + byUs)
    case .playMain(let us): .playMain(atUs: us + byUs)
    case .startChapter(let name, let us): .startChapter(name, atUs: us + byUs)
    case .tap(let lane, let run, let us): .tap(lane, run: run, atUs: us + byUs)
    case .confetti(let us): .confetti(atUs: us + byUs)
    case .pause(let us): .pause(atUs: us + byUs)
    case .welcomeBack(let us, let untilUs): .welcomeBack(atUs: us + byUs, untilUs: untilUs + byUs)
    case .goOn(let us): .goOn(atUs: us + byUs)
    case .send, .store, .saidReset: self
    }
  }
}
