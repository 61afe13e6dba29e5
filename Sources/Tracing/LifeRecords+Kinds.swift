// SPDX-License-Identifier: Apache-2.0

import Timing

/// What a life is told from, by kind.
extension LifeRecords {
  /// A line that was served.
  struct Line {
    var arrived, begun, decoded, planned, done: Instant
    var processor: Interval
  }

  /// A turn of control.
  struct Turn {
    var due, woken, done: Instant
    var processor: Interval
    /// Whether it woke for nothing, as after a stop.
    var isInterrupted: Bool

    var late: Interval { due == .distantPast ? .zero : woken - due }
    var length: Interval { done - woken }
  }

  /// A voice that was to begin; without one what a cue changes of others.
  struct Start {
    var voice: UInt64?
    var isTrack = false
    var frame: Int64
    var heard, at: Instant
    /// The verb of music that it is of; 0 for none.
    var plan: Int64 = 0
    /// Whether the engine stands before it.
    var isHeld = false
    /// Whether the mixer let go of it before it began.
    var isOff = false

    var part: Life.Part? { voice.map { isTrack ? .track($0) : .sound($0) } }
  }

  /// Frames that were rendered in one go.
  struct Period {
    var first, frames: Int64
    var due, woken, done, heard: Instant

    var late: Interval { due == .distantPast ? .zero : woken - due }
    var length: Interval { done - woken }
    func holds(_ frame: Int64) -> Bool { frame >= first && frame < first + frames }
  }

  /// Frames that were not heard.
  struct Loss {
    var first, frames: Int64

    func holds(_ frame: Int64) -> Bool { frame >= first && frame < first + frames }
  }

  /// A write to a haptic device; without an end it has not been answered yet.
  struct Write {
    var due, felt, woken: Instant
    var done: Instant?
    var device: UInt8
    var spacing = Interval.zero
    var tookLate = false
  }

  /// A player that was to begin; without a number what a cue ends of others.
  struct Player {
    var player: UInt64?
    /// Its beginning.
    var felt: Instant
    /// When the first of it is felt, which may be later: a pattern may begin with silence.
    var first: Instant
    var at: Instant

    var part: Life.Part? { player.map { .player($0) } }
  }
}
