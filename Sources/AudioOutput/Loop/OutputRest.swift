// SPDX-License-Identifier: Apache-2.0

import Timing

/// Where an output that rests would be if it went on by periods: pure.
///
/// While nothing sounds the audio thread sleeps, and what it publishes gets old. The clock tells all the same which frames
/// it would have rendered; so commands are planned for the frames that they would reach were it awake.
public struct OutputRest: Sendable, BitwiseCopyable {
  /// Whether it rests.
  public let lasts: Bool
  private let pacer: NullPacer
  private let next: Int64
  private let mixed: Int64
  private let stands: Bool

  /// An output that rests (`lasts`) or not, and that goes by `pacer`; `next` is the next frame to be rendered, and `mixed`
  /// the first played one that commands still reached when it began; where the mixer `stands`, that stays so.
  @_noLocks public init(lasts: Bool, pacer: NullPacer, next: Int64, mixed: Int64, stands: Bool = false) {
    self.lasts = lasts
    self.pacer = pacer
    self.next = next
    self.mixed = mixed
    self.stands = stands
  }

  /// The next frame that would be rendered at `now`, all that is due by then having been.
  public func next(at now: Instant) -> Int64 { pacer.next(from: next, at: now) }

  /// Frames passed since it began.
  public func frames(at now: Instant) -> Int64 { next(at: now) - next }

  /// What the output is at, at `now`.
  public func reach(at now: Instant) -> OutputReach {
    let next = next(at: now)
    return OutputReach(
      timeline: pacer.timeline(through: next), mixed: stands ? mixed : mixed + next - self.next,
      nextWake: pacer.due(next))
  }
}

/// What an output has reached.
public struct OutputReach: Equatable, Sendable, BitwiseCopyable {
  /// Which frame is heard when.
  public let timeline: AudioTimeline
  /// The first played frame that a command submitted now still reaches, if it is there by `nextWake`.
  public let mixed: Int64
  /// Not before this instant the mixer takes commands again.
  public let nextWake: Instant
}
