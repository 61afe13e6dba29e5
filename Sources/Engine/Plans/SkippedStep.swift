// SPDX-License-Identifier: Apache-2.0

/// A step of a cue that does not happen, and why.
struct SkippedStep: Sendable, Equatable {
  /// What is in its way.
  enum Kind: Sendable, CaseIterable {
    case soundOff
    case hapticsOff
    /// Stopped, or called off, before it began.
    case calledOff
    /// Beyond the hour that may be planned.
    case tooFar
    case unknownName
    case unavailable
    case notRunning
    case busy
    case heldByChapter
  }

  var kind: Kind
  /// Which one, in a few words.
  var step: String
  /// Why, for people.
  var reason: String

  static func soundOff(step: String) -> SkippedStep {
    SkippedStep(kind: .soundOff, step: step, reason: "sound is switched off")
  }

  static func hapticsOff(step: String) -> SkippedStep {
    SkippedStep(kind: .hapticsOff, step: step, reason: "haptics are switched off")
  }
}

extension SkippedStep.Kind {
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
  init(_ cancellation: PlanCancellation) {
    self =
      switch cancellation {
      case .notPlaying: .notRunning
      case .busy: .busy
      case .chapter: .heldByChapter
      case .unavailable: .unavailable
      case .cancelled, .stopped, .chapterStopped, .chapterPaused, .clientLeft, .shutdown: .calledOff
      }
  }
}
