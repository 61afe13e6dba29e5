// SPDX-License-Identifier: Apache-2.0

/// How far ahead of a device its ring is kept filled: pure.
///
/// What is queued is latency; room in the ring is not. So the ring may be large while little of it is used, and how much
/// can grow while the device plays.
public struct DeviceFill: Equatable, Sendable, BitwiseCopyable {
  /// Frames written at a time.
  public let period: Int
  /// Frames that the device's ring has room for.
  public let ring: Int
  /// Frames kept queued, as soon as a period of them has been played.
  public private(set) var frames: Int

  /// At most a ring of `ring` frames, and at least two periods of it, are kept filled.
  @_noLocks public init(frames: Int, period: Int, ring: Int) {
    self.period = period
    self.ring = ring
    self.frames = min(max(frames, 2 * period), ring)
  }

  /// What comes of the fill that was `wanted` on a device that gave periods of `period` frames in a ring of `ring`.
  ///
  /// One that wakes for each of its periods is filled by them, and of longer ones than were wanted it takes three as well. Where
  /// the clock wakes, what is written at a time is as wanted.
  init(wanted: DeviceFill, period: Int, ring: Int, wakes: WakeSource) {
    switch wakes {
    case .timer:
      self.init(frames: wanted.frames, period: wanted.period, ring: ring)
    case .device:
      let isPartOfRing = wanted.frames < wanted.ring
      self.init(frames: isPartOfRing ? max(wanted.frames, 3 * period) : ring, period: period, ring: ring)
    }
  }

  /// Frames that may be written where the device has room for `available`; negative where more than the fill is queued.
  @_noLocks public func room(available: Int64) -> Int64 { min(available, Int64(ring)) - Int64(ring - frames) }

  /// Frames queued in a device that has room for `available`.
  @_noLocks public func queued(available: Int64) -> Int64 { Int64(ring) - min(max(0, available), Int64(ring)) }

  /// The room at which there is a period to be written.
  public var wakeRoom: Int { @_noLocks get { ring - frames + period } }

  /// Frames of silence that a device starts with: half the fill in whole periods.
  public var lead: Int { @_noLocks get { (frames / 2 + period - 1) / period * period } }

  /// Keeps at least that many frames filled from here on, at most the ring.
  @_noLocks public mutating func grow(to least: Int) { frames = min(max(frames, least), ring) }

  /// Keeps a period more of it filled from here on, after the device ran dry; false where it is full.
  @_noLocks public mutating func grow() -> Bool {
    guard frames < ring else { return false }
    frames = min(frames + period, ring)
    return true
  }
}
