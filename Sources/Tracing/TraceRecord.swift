// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Timing

/// One thing that a thread of the daemon did, with whose line it goes back to: at most 64 bytes.
public struct TraceRecord: BitwiseCopyable, Sendable, Equatable {
  /// The connection whose line it goes back to; 0 for the daemon itself.
  public var client: UInt32
  /// The number of that line among its client's, from 1; 0 where no line asked.
  public var line: UInt32
  /// What was done.
  public var event: TraceEvent

  /// `event`, which goes back to line `line` of `client`.
  @_noLocks public init(_ event: TraceEvent, client: UInt32 = 0, line: UInt32 = 0) {
    self.client = client
    self.line = line
    self.event = event
  }
}

/// What can be recorded. Instants are of CLOCK_MONOTONIC, frames of the output, with those that pauses took.
public enum TraceEvent: BitwiseCopyable, Sendable, Equatable {
  /// Audio: a turn of its loop rendered `frames` frames from `first` on, which is heard at `heard`. It was to wake at
  /// `due`, the distant past where that was not known.
  case period(first: Int64, due: Instant, woken: Instant, done: Instant, heard: Instant, frames: Int32)
  /// Control: `frames` frames from `first` on were not heard, which should have been at `heard`.
  case lost(first: Int64, frames: Int64, heard: Instant, noticed: Instant, cause: Loss)
  /// Control: a turn of its loop that woke late, or for nothing, as after the process was stopped, or took long.
  case turn(due: Instant, woken: Instant, done: Instant, processor: Interval, isInterrupted: Bool = false)
  /// Control: a line was served. `arrived` is when its last byte was read; `method` is its place among all methods.
  case line(
    arrived: Instant, begun: Instant, decoded: Instant, planned: Instant, done: Instant, processor: Interval,
    method: UInt16)
  /// Errands: what a line left to be done was done.
  case errand(begun: Instant, done: Instant)
  /// Control: what a line asked for, and for when. `asked` is the distant past where that is as soon as possible.
  case asked(id: Int64, asked: Instant, scheduled: Instant, at: Instant, subject: TraceKind)
  /// Control: the start of a voice was handed to the mixer; of a track, for the verb of music numbered `plan`.
  case start(voice: UInt64, frame: Int64, heard: Instant, at: Instant, cue: Int64, plan: Int64 = 0, isTrack: Bool)
  /// Control: the mixer began a voice at another frame than it was handed over for.
  case moved(voice: UInt64, frame: Int64, heard: Instant)
  /// Control: the mixer let go of a voice at `at` that it had not begun: its start was taken back, or found no room.
  case letGo(voice: UInt64, at: Instant)
  /// Control: what was to begin at `due`, the distant past where that is not recorded, does not, as is told for `at`.
  case unbegun(id: Int64, due: Instant, at: Instant, cue: Int64, subject: TraceKind, why: LifeStage)
  /// Control: a track falls silent from a frame on because its file has not been decoded so far, or that `isOver`.
  case silent(voice: UInt64, from: Int64, heard: Instant, isOver: Bool)
  /// Control: a voice is over: `frame` is the one after its last.
  case ended(voice: UInt64, frame: Int64, heard: Instant)
  /// Control: the engine stands before `frame`, from `at` on, and `resumed` says whether and for how long it did.
  case stood(at: Instant, frame: Int64, frames: Int64, length: Interval, resumed: Bool)
  /// Control: the start of a haptic player was handed to the devices. It is felt from `silence` after `felt` on.
  case player(player: UInt64, felt: Instant, at: Instant, cue: Int64, silence: Interval = .zero)
  /// Haptic: a write to a device begins, for what is felt at `felt`; the thread was to write it at `due`.
  case writing(due: Instant, felt: Instant, woken: Instant, device: UInt8)
  /// Haptic: that write was done, or refused. The device is written to no more often than each `spacing`, and has for this
  /// or since the write before taken in what it was to begin before, where it `tookLate`.
  case wrote(
    due: Instant, felt: Instant, woken: Instant, done: Instant, device: UInt8, isRefused: Bool,
    spacing: Interval = .zero, tookLate: Bool = false)
  /// Control: what a cue changes or ends of what is heard from `frame` on, or of what is felt, was handed over; of music,
  /// by the verb numbered `plan`, which is part of no cue where that is 0.
  case changed(cue: Int64, frame: Int64, heard: Instant, at: Instant, isFelt: Bool, plan: Int64 = 0)
  /// Control: a notification was handed to the beats thread.
  case handedOut(number: Int64, due: Instant, at: Instant, subject: TraceKind)
  /// A notification was queued for the client that `client` names, and has left for it at `written`.
  case told(number: Int64, due: Instant, queued: Instant, written: Instant, subject: TraceKind)
  /// A client came, or went, or was closed because it did not read.
  case client(at: Instant, change: ClientChange)
  /// The processor time that a thread has used in all at `at`.
  case processor(at: Instant, used: Interval, thread: TraceThread)

  /// Names the device of a write: its thread does not know its number.
  public mutating func setDevice(_ device: UInt8) {
    switch self {
    case .writing(let due, let felt, let woken, _): self = .writing(due: due, felt: felt, woken: woken, device: device)
    case .wrote(let due, let felt, let woken, let done, _, let isRefused, let spacing, let tookLate):
      self = .wrote(
        due: due, felt: felt, woken: woken, done: done, device: device, isRefused: isRefused, spacing: spacing,
        tookLate: tookLate)
    default: break
    }
  }

  /// Why frames were lost.
  public enum Loss: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    /// The device ran dry.
    case underrun
    /// It slept or failed, or was let go, or the clock ran away.
    case skipped
    /// The device was found to be behind.
    case corrected
  }

  /// What became of a client.
  public enum ClientChange: UInt8, BitwiseCopyable, Sendable, CaseIterable {
    case came, left
    /// More waited for it than may wait.
    case overflowed
  }
}

/// Threads whose processor time is looked at.
public enum TraceThread: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case control, audio, beats
}
