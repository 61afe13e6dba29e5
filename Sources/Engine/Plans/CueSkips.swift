// SPDX-License-Identifier: Apache-2.0

import Outcomes

extension CueSkip {
  static func soundOff(step: String) -> CueSkip {
    CueSkip(.soundOff, step: step, reason: "sound is switched off")
  }

  static func hapticsOff(step: String) -> CueSkip {
    CueSkip(.hapticsOff, step: step, reason: "haptics are switched off")
  }

  static func calledOff(step: String, _ why: CallingOff) -> CueSkip {
    CueSkip(.calledOff, step: step, reason: why.reason)
  }

  /// Why something that is heard or felt never begins. Of music `CancelReason` says it, in the same words.
  enum CallingOff {
    case stopped, clientLeft, outdated

    init(_ reason: HapticStopReason?) {
      self =
        switch reason {
        case .disconnected: .clientLeft
        case .outdated: .outdated
        case .requested, .replaced, .switchedOff, nil: .stopped
        }
    }

    fileprivate var reason: String {
      switch self {
      case .stopped: "stopped before it began"
      case .clientLeft: CancelReason.clientLeft.sentence
      case .outdated: CancelReason.outdated.sentence
      }
    }
  }
}

extension CueSkip.Kind {
  /// By what a verb was refused for. Steps are refused for no reasons of taps, runs and owners.
  init(_ refusal: VerbRefusal.Kind) {
    self =
      switch refusal {
      case .unknownName: .unknownName
      case .notRunning: .notRunning
      case .busy: .busy
      case .heldByChapter: .heldByChapter
      case .invalid: .tooFar
      case .unavailable, .alreadyRunning, .tooLate, .stampInFuture, .notPermitted: .unavailable
      }
  }

  /// By what called off a verb of music.
  init(_ cancellation: CancelReason) {
    self =
      switch cancellation {
      case .notPlaying: .notRunning
      case .busy: .busy
      case .chapter: .heldByChapter
      case .unavailable: .unavailable
      case .cancelled, .stopped, .chapterStopped, .chapterPaused, .clientLeft, .outdated, .shutdown: .calledOff
      }
  }
}
