// SPDX-License-Identifier: Apache-2.0

/// How far ahead devices turned out to need to be filled, in frames, the latest last: pure.
public struct FillMemory: Equatable, Sendable {
  /// Devices remembered, at most: the latest.
  public static let limit = DeviceNumbers.limit
  private static let frames = 32...ReopenPolicy.longestFill

  private var fills: DeviceNumbers

  /// Nothing remembered.
  public init() { fills = DeviceNumbers(Self.frames) }

  /// What a text says, as far as it can be read: 32 to `ReopenPolicy.longestFill` frames.
  public init(reading text: String) { fills = DeviceNumbers(Self.frames, reading: text) }

  /// All of it, as `init(reading:)` reads it: a line for each device, the latest last.
  public var text: String { fills.text }

  /// The frames that a device needed ahead; nil where nothing is known of it.
  public subscript(key: DeviceKey) -> Int? { fills[key] }

  /// From now on a device is known to need `fill` frames ahead; nothing changes where that cannot be.
  public mutating func remember(_ fill: Int, for key: DeviceKey) { fills.remember(fill, for: key) }

  /// From now on nothing is known of a device.
  public mutating func forget(_ key: DeviceKey) { fills.forget(key) }
}
