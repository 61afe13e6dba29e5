// SPDX-License-Identifier: Apache-2.0

import Timing

/// What the output is asked to be.
public struct AudioOutputConfiguration: Equatable, Sendable {
  /// The device that needs no hardware: silence, paced by the clock.
  public static let nullDevice = "none"

  /// An ALSA PCM name (`default`, `hw:0`, `plughw:1`, ...), `none` for the null device, or nil for `default` with the
  /// null device in its place while there is none.
  public var device: String?
  /// The engine's frames a second, 8 000...192 000.
  public var rate: Int
  /// Frames a period, or nil for what the device is known to need, at first 64 for `hw:` and 256 for others.
  public var period: Int?
  /// Periods kept ahead of the device where `period` is given; nil for the device kind's own: 3 for `hw:`, else 4.
  public var periods: Int?
  /// The SCHED_FIFO priority asked for, 1...99; nil for none.
  public var realtimePriority: Int?
  /// Whether to keep the process's touched pages in memory, where its limits allow, and the kernel from moving them together.
  public var locksMemory: Bool
  /// A WAV file (32-bit float) that gets everything rendered, or nil.
  public var recordPath: String?

  /// Where it is kept how far ahead devices turned out to need to be filled, from one run to the next; nil for nowhere.
  public var fillFile: String?

  /// Where it is kept how much later than they tell devices are heard, from one run to the next; nil for nowhere.
  public var leadFile: String?

  /// Where it is kept how long devices took to play again after they were let go, from one run to the next; nil for nowhere.
  public var wakeFile: String?

  /// How long nothing is heard before a card is let go; nil where none ever is.
  public var idle: Interval?

  /// How long a device that does not answer is waited for, at the start and again at the end, in milliseconds.
  public var patience: Int32 = 2_000

  /// A configuration; every argument has a default that suits a daemon.
  public init(
    device: String? = nil, rate: Int = 48_000, period: Int? = nil, periods: Int? = nil,
    realtimePriority: Int? = 70, locksMemory: Bool = true, recordPath: String? = nil,
    fillFile: String? = nil, leadFile: String? = nil, wakeFile: String? = nil, idle: Interval? = nil
  ) {
    self.device = device
    self.rate = rate
    self.period = period
    self.periods = periods
    self.realtimePriority = realtimePriority
    self.locksMemory = locksMemory
    self.recordPath = recordPath
    self.fillFile = fillFile
    self.leadFile = leadFile
    self.wakeFile = wakeFile
    self.idle = idle
  }
}
