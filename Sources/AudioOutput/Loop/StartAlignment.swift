// SPDX-License-Identifier: Apache-2.0

import Timing

/// How a device is brought onto the plan at its start: pure.
///
/// It starts with silence and is listened to for half of that. Which frame follows is decided when it runs and has said
/// when that will be heard, so that announced instants hold from the first frame on, however late it started.
public struct StartAlignment: Equatable, Sendable, BitwiseCopyable {
  /// What to do once it has been listened to.
  public enum Step: Equatable, Sendable, BitwiseCopyable {
    /// The plan is ahead: passes over so many frames (0 or more), then plays.
    case skip(Int64)
    /// The plan is behind: so many frames more of silence, then plays.
    case pad(Int64)
    /// Further behind than there is room: so many frames of silence, then decides again.
    case wait(Int64)
  }

  /// Readings of the position, at most.
  public static var readingLimit: Int { @_noLocks get { 8 } }

  private let lead: Int64
  private var readings = 0
  /// When the first frame of silence was heard, by the earliest reading.
  private var began = Instant.distantFuture

  /// For a device that starts with `leadFrames` frames of silence.
  @_noLocks public init(leadFrames: Int) { lead = Int64(leadFrames) }

  /// Frames between two readings.
  public var readingInterval: Int64 { @_noLocks get { lead / Int64(2 * StartAlignment.readingLimit) } }

  /// Takes in that the first frame was heard at `instant` and `queued` frames are still to be; whether that is enough.
  ///
  /// A position that moves in steps can only be behind, and its reading late: the earliest is nearest to the truth.
  @_noLocks public mutating func listen(began instant: Instant, queued: Int64) -> Bool {
    if instant < began { began = instant }
    readings += 1
    return readings >= StartAlignment.readingLimit || queued <= lead / 2
  }

  /// When the frame after `given` frames of silence is heard, at `rate` frames a second.
  @_noLocks public func heardAt(given: Int64, rate: Int) -> Instant { began + .frames(given, rate: rate) }

  /// What to do when the device would be given `next` so as to be heard when the plan has `planned`, with `room` frames.
  @_noLocks public static func step(next: Int64, planned: Int64, room: Int64) -> Step {
    let missing = next - planned
    if missing <= 0 { return .skip(-missing) }
    return missing <= room ? .pad(missing) : .wait(max(0, room))
  }
}
