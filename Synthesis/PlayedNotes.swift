// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The notes that were played in one recording: a chord that comes round again is as it was, and not made anew.
final class PlayedNotes: Sendable {
  /// Of the recording that is being made; nil where each note is made anew.
  @TaskLocal static var ofThis: PlayedNotes?

  enum Instrument: Hashable, Sendable {
    case synthesiser(Synthesiser)
    case electricPiano
  }

  /// All that a note is a function of.
  struct Note: Hashable, Sendable {
    var instrument: Instrument
    var note: Float
    var seconds: Float
    var velocity: Float
  }

  private let notes = Mutex<[Note: Stereo]>([:])

  /// The note as it was made before, else as `make` makes it.
  static func once(_ note: Note, _ make: () -> Stereo) -> Stereo {
    guard let ofThis else { return make() }
    if let made = ofThis.notes.withLock({ $0[note] }) { return made }
    let made = make()
    ofThis.notes.withLock { $0[note] = made }
    return made
  }
}
