// SPDX-License-Identifier: Apache-2.0

/// A step of a cue that does not happen.
public struct CueSkip: Codable, Sendable, Equatable {
  /// Why, for programs.
  public var kind: Kind
  /// The step, in the words of `cue.stop`, as in "sound game:click".
  public var step: String
  /// Why, for people, and what to do where anything helps.
  public var reason: String

  /// Why a step does not happen.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The switch for sound is off at its instant.
    case soundOff
    /// The switch for haptics is off at its instant.
    case hapticsOff
    /// It was stopped or called off before it began.
    case calledOff
    /// It lies more than an hour ahead.
    case tooFar
    /// The pack has nothing of that name.
    case unknownName
    /// What it plays could not be loaded or opened.
    case unavailable
    /// No track plays that it could change.
    case notRunning
    /// As much is planned or playing as there is room for.
    case busy
    /// The music belongs to a chapter, and changes only with it.
    case heldByChapter
  }

  /// That step is left out, for that reason.
  public init(_ kind: Kind, step: String, reason: String) {
    self.kind = kind
    self.step = step
    self.reason = reason
  }
}
