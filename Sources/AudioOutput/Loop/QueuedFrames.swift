// SPDX-License-Identifier: Apache-2.0

/// Which frames a device was given, and so which it takes next and which it never played: pure.
///
/// A device takes frame after frame without a hole, so that the room in its buffer says where it is.
public struct QueuedFrames: Equatable, Sendable, BitwiseCopyable {
  /// The frame after the last it was given.
  public private(set) var end: Int64
  /// Where what it was given last begins.
  public private(set) var lastGiven: Int64
  /// The frame it was to take next when it was last asked: it has played at least all before.
  public private(set) var lastPosition: Int64
  /// What was passed over last: the frames it holds from before go up to `gapStart`.
  private var gapStart: Int64
  private var gapLength: Int64 = 0
  private let buffer: Int64

  /// A device with room for `buffer` frames; the next it is given is `frame`.
  @_noLocks public init(buffer: Int64, next frame: Int64) {
    self.buffer = buffer
    end = frame
    lastGiven = frame
    lastPosition = frame
    gapStart = frame
  }

  /// It was given that many more.
  @_noLocks public mutating func give(_ frames: Int64) {
    lastGiven = end
    end += frames
  }

  /// So many frames are passed over before it is given the next.
  @_noLocks public mutating func pass(_ frames: Int64) {
    guard frames > 0 else { return }
    gapStart = end
    gapLength = frames
    end += frames
  }

  /// It told that it has room for `available` frames.
  @_noLocks public mutating func read(available: Int64) {
    lastPosition = max(lastPosition, min(position(available: available), end))
  }

  /// The frame it takes next, where it has room for `available` frames.
  @_noLocks public func position(available: Int64) -> Int64 {
    let frame = end + available - buffer
    return frame < gapStart + gapLength ? frame - gapLength : frame
  }

  /// The first frame not played by a device that has run dry and stopped, with room for `available` frames.
  ///
  /// A stopped device is empty. Where it seems not to be, what it was given last came after the stop. `late` is the first frame of
  /// a block that was given when all before had been played already: a device that has not noticed then passes it unheard.
  @_noLocks public func dryFrame(available: Int64, late: Int64? = nil) -> Int64 {
    min(available >= buffer ? end : lastGiven, late ?? .max)
  }

  /// The first frame not played by a device that is stopped while it has frames, with room for `available`.
  @_noLocks public func droppedFrame(available: Int64) -> Int64 {
    min(position(available: max(0, available)), end)
  }

  /// How many of the frames it was given from `first` on a device that runs on had passed before it had them, at most.
  ///
  /// A block is given in two parts where the device's ring ends within it: its first frame is not `lastGiven` then.
  @_noLocks public func passed(from first: Int64, available: Int64) -> Int64 {
    max(0, min(position(available: available), end) - first)
  }
}
