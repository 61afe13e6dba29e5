// SPDX-License-Identifier: Apache-2.0

/// What one record of a journal tells. Their numbers are part of the form (`JournalForm.version`).
public enum JournalKind: UInt8, Sendable, CaseIterable {
  // What was done at the engine's border, in order.

  /// What the run was begun with.
  case head = 1
  /// What clock and outputs were at: what follows is asked then.
  case turn
  /// A method: its name, cause, arrival and params.
  case call
  /// What the engine wanted done was carried out.
  case carryOut
  /// A client was gone.
  case clientLeft
  /// Nobody was listened to meanwhile.
  case stalled
  /// The engine did what was due.
  case advance
  /// A bound control tapped.
  case boundTap
  /// Up to where bound controls were read.
  case listenedTo
  /// The engine was to stand, or to go on.
  case clock
  /// The mixer was to stand, or to go on.
  case pause
  /// Events of the mixer were taken in.
  case events
  /// Whether anybody is told of beats.
  case tellsBeats
  /// The daemon was about to end.
  case shutDown
  /// A pack was read anew and taken.
  case packTaken
  /// A pack was taken out.
  case packDropped
  /// What of old packs nobody can want any more was forgotten.
  case packsForgotten
  /// The gain of the haptic log.
  case logGain
  /// What waited for room in the mixer was handed over as far as there was.
  case handOver
  /// All that was of an earlier reading of a pack was ended, to make room.
  case packOutdated
  /// The haptic log took nothing: what waited for it was left out, for what had come of it by then.
  case logRejoined

  // What was asked meanwhile and has another answer each time.

  /// How many commands the mixer had room for.
  case room = 64
  /// Whether a track could be opened.
  case opened
  /// The mixer had passed what was to be carried out: it was not, and is planned anew.
  case passed

  // What other threads did.

  /// Calls of the mixer, and what they took.
  case mixer = 96
  /// A step of the haptic log.
  case felt

  // What came of it.

  /// The samples of a second.
  case heard = 128
  /// A verdict, or what a chapter told.
  case verdict

  // How the journal fares.

  /// Records were lost here: what follows cannot be done again.
  case lost = 192
  /// The journal was as long as it may be.
  case truncated
  /// The run was over.
  case end
}

/// One record.
public struct JournalRecord: Sendable, Equatable {
  public var kind: JournalKind
  /// Its fields (`JournalFields`).
  public var fields: [UInt8]

  /// One of that kind.
  public init(_ kind: JournalKind, _ fields: [UInt8] = []) {
    self.kind = kind
    self.fields = fields
  }
}

/// What a journal is written as: a line of text, then blocks.
public enum JournalForm {
  /// Another where a record means something else than before.
  public static let version = 2
  /// What a file begins with.
  public static let firstLine = Array("starlight journal \(version)\n".utf8)
  /// What the file of any version begins with.
  static let anyFirstLine = Array("starlight journal ".utf8)
  /// Of a block: its length and its fingerprint.
  static let blockHead = 4 + 8
  /// No block is longer, in bytes.
  public static let mostBytesOfBlock = 1 << 24
}
