// SPDX-License-Identifier: Apache-2.0

import Timing

/// How long devices took at the longest from being wanted to playing on the plan, the latest last: pure.
public struct WakeMemory: Equatable, Sendable {
  /// In microseconds.
  public static let range = 1...10_000_000

  private var wakes: DeviceNumbers

  /// Nothing remembered.
  public init() { wakes = DeviceNumbers(Self.range) }

  /// What a text says, as far as it can be read: microseconds in `range`.
  public init(reading text: String) { wakes = DeviceNumbers(Self.range, reading: text) }

  /// All of it, as `init(reading:)` reads it: a line for each device, the latest last.
  public var text: String { wakes.text }

  /// The longest that a device took; nil where that is not known.
  public subscript(key: DeviceKey) -> Interval? { wakes[key].map { .microseconds(Int64($0)) } }

  /// A device took that long; whether this says more than was known.
  ///
  /// The longest counts. One that took too long to be let go (`IdlePolicy.longestWake`) may have been held up for once: what it
  /// takes at the next opening counts instead.
  public mutating func note(_ taken: Interval, of key: DeviceKey) -> Bool {
    let known = self[key]
    if let known, taken <= known, known <= IdlePolicy.longestWake { return false }
    let microseconds = (max(taken, .zero) + Interval(nanoseconds: 999)).microseconds
    let before = wakes
    wakes.remember(Int(min(max(microseconds, 1), Int64(Self.range.upperBound))), for: key)
    return wakes != before
  }
}
