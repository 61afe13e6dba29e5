// SPDX-License-Identifier: Apache-2.0

import Timing

/// What a capture gave: samples, and what the device said of its position meanwhile.
public struct CapturedSound: Sendable {
  /// A look at the device: `frame`, the next that it would capture, was reached at `instant`.
  public struct Reading: Equatable, Sendable {
    /// Counted from the first that was captured.
    public var frame: Int64
    /// By the device's own stamp where it has one.
    public var instant: Instant
    /// The frame before which the device lost some since the look before; nil where it did not.
    public var lossBefore: Int64?

    /// A look at `instant`.
    public init(frame: Int64, instant: Instant, lossBefore: Int64? = nil) {
      self.frame = frame
      self.instant = instant
      self.lossBefore = lossBefore
    }
  }

  /// The name it was opened by.
  public var device: String
  /// Frames a second.
  public var rate: Int
  /// The device's channels that are kept, from 0.
  public var kept: [Int]
  /// The samples of each of these, full scale 1.
  public var channels: [[Float]]
  /// One for each time that something was read.
  public var readings: [Reading]
  /// What the readings may be wrong by without showing it.
  public var biasFloor: Interval
  /// Why it ended before it was told to; nil where it did not.
  public var ending: String?

  /// What `device` gave from beginning to end.
  public init(
    device: String, rate: Int, kept: [Int], channels: [[Float]], readings: [Reading], biasFloor: Interval,
    ending: String? = nil
  ) {
    self.device = device
    self.rate = rate
    self.kept = kept
    self.channels = channels
    self.readings = readings
    self.biasFloor = biasFloor
    self.ending = ending
  }
}
