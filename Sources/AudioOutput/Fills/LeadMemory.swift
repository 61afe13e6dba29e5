// SPDX-License-Identifier: Apache-2.0

import Timing

/// How much later than they tell devices are heard, as calibrated, the latest last: pure.
public struct LeadMemory: Equatable, Sendable {
  /// In microseconds: 0.1 s early to 1 s late.
  public static let range = -100_000...1_000_000

  private var leads: DeviceNumbers

  /// Nothing remembered.
  public init() { leads = DeviceNumbers(Self.range) }

  /// What a text says, as far as it can be read: microseconds in `range`.
  public init(reading text: String) { leads = DeviceNumbers(Self.range, reading: text) }

  /// All of it, as `init(reading:)` reads it: a line for each device, the latest last.
  public var text: String { leads.text }

  /// How much later than it tells a device is heard; nothing where that is not known.
  public subscript(key: DeviceKey) -> Interval { .microseconds(Int64(leads[key] ?? 0)) }

  /// From now on a device is known to be heard so much later, in whole microseconds; nothing changes beyond `range`.
  public mutating func remember(_ lead: Interval, for key: DeviceKey) {
    guard lead != .zero else { return leads.forget(key) }
    leads.remember(Int(lead.microseconds), for: key)
  }
}
