// SPDX-License-Identifier: Apache-2.0

import Timing

/// What the output did since it started.
public struct AudioOutputStatistics: Equatable, Sendable {
  /// Frames rendered by the mixer.
  public var framesRendered: Int64
  /// Frames that nobody heard: gaps of underruns, corrections, and a machine too busy.
  public var framesLost: Int64
  /// Times a device ran out of frames.
  public var underruns: Int
  /// Wake-ups later than half a period.
  public var lateWakes: Int
  /// The latest wake-up.
  public var latestWake: Interval
  /// Times a device was let go.
  public var deviceLosses: Int
  /// Frames the recording lacks because its file was too slow.
  public var recorderOverrunFrames: Int64
  /// From writing a frame to hearing it, as last read.
  public var latency: Interval
  /// Whether the clock paces instead of a device.
  public var isPacedByClock: Bool
}

/// News from the audio thread.
public enum AudioOutputNotice: Equatable, Sendable, BitwiseCopyable {
  /// The device ran out: `lost` frames were not heard, `at` the first of them. Where it ran on, that is the most it may have
  /// passed before it was given them.
  case underrun(at: Int64, lost: Int64)
  /// The timeline was off by more than 1 ms: frames are heard this much later than it said. To keep what is announced,
  /// `lost` frames (0 or more) were passed over, `at` the first of them.
  case corrected(by: Interval, lost: Int64, at: Int64)
  /// The device slept, failed or was let go, or the machine was too busy for the clock: `lost` frames were not heard, `at`
  /// the first of them. Of a device that vanished that is the most it may have held, and of one that slept up to a period
  /// more than was lost: the kernel does not look at the position as it goes to sleep.
  case skipped(at: Int64, lost: Int64)
  /// The device was let go; the clock paces.
  case deviceLost(ReleaseReason)
  /// The device was let go while nothing is to be heard, with that frame the next: nothing is lost.
  case deviceRests(at: Int64)
  /// A device plays from that output frame on.
  case deviceStarted(at: Int64)
  /// The device takes frames as fast as they come, and is paced by the clock.
  case unpaced
}
