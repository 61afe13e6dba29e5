// SPDX-License-Identifier: Apache-2.0

/// The instant at which a change is heard.
public struct Scheduled: ScheduledResult, Codable, Sendable, Equatable {
  /// The instant at which the change begins to be heard or felt.
  public var scheduledUs: Int64
  /// How much later than asked for that is.
  public var lateUs: Int64

  public init(scheduledUs: Int64, lateUs: Int64) {
    self.scheduledUs = scheduledUs
    self.lateUs = lateUs
  }
}

/// Why an effect that was asked for is not played.
public enum SkipReason: String, Codable, Sendable, CaseIterable {
  /// The switch for sound is off.
  case soundOff
  /// The switch for haptics is off.
  case hapticsOff
}
