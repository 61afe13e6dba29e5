// SPDX-License-Identifier: Apache-2.0

import Problems

/// Why a verb was not carried out, for people, and what would help.
public struct VerbRefusal: Error, Sendable, Equatable {
  /// What kind of obstacle it is.
  public enum Kind: Sendable, CaseIterable {
    /// Nothing has that name.
    case unknownName
    /// It is known but cannot be had, such as a track whose file could not be read.
    case unavailable
    /// What is to be changed does not play, or is over.
    case notRunning
    /// There is one at a time, and it runs.
    case alreadyRunning
    /// As much is planned or playing as can be.
    case busy
    /// It makes no sense as asked.
    case invalid
    /// The instant it was meant for has passed.
    case tooLate
    /// A tap is stamped too far ahead.
    case stampInFuture
    /// The music goes with a chapter.
    case heldByChapter
    /// It is another user's.
    case notPermitted
  }

  /// What kind of obstacle it is.
  public var kind: Kind
  /// One sentence that names the thing and the reason.
  public var reason: Wording
  /// What to do about it.
  public var remedy: Wording?
  /// The nearest names, best first, where a name was not known.
  public var candidates: [String]

  /// A refusal of that kind.
  public init(_ kind: Kind, _ reason: Wording, remedy: Wording? = nil, candidates: [String] = []) {
    self.kind = kind
    self.reason = reason
    self.remedy = remedy
    self.candidates = candidates
  }

  /// The reason and what to do about it, in one line.
  var sentence: String { reason.text + (remedy.map { "; " + $0.text } ?? "") }
}
