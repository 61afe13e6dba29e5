// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Rhythm
import Timing
import Wire

/// A rhythm chapter being played: a session in song time, and the instant of its zero.
struct Chapter {
  let key: AssetKey
  /// Cues of the pack for what happens in the chapter.
  let feedback: PackChapter.Feedback
  /// Song position zero, in whole microseconds.
  let start: Instant
  /// Whether it stays the last chapter once it is over.
  let isRecorded: Bool
  var session: RhythmSession
  var announcer: BeatAnnouncer

  /// Microseconds of song time at an instant.
  func position(at instant: Instant) -> Int64 { (instant - start).microseconds }

  /// The instant of a song position.
  func instant(ofPosition position: Int64) -> Instant { start + .microseconds(position) }
}
