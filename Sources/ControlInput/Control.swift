// SPDX-License-Identifier: Apache-2.0

import CEvdev

/// What of a device can tap: a button, a key, or an axis that is moved far enough.
public struct Control: Hashable, Sendable {
  /// How an axis is moved to tap; nothing for a button or a key.
  public enum Direction: Hashable, Sendable {
    /// From its middle to its end, as `ABS_X+`.
    case up
    /// From its middle to its beginning, as `ABS_X-`.
    case down
    /// From its beginning to its end, as a trigger: `ABS_Z`.
    case whole
  }

  /// The kernel's number among keys, or among axes.
  public var code: UInt16
  /// Of an axis; nil for a button or a key.
  public var direction: Direction?

  /// The button or key of that number.
  public init(key code: UInt16) { self.code = code }

  /// One direction of the axis of that number.
  public init(axis code: UInt16, _ direction: Direction) {
    self.code = code
    self.direction = direction
  }

  /// What linux/input-event-codes.h calls `name`, with + or - behind an axis that has a middle; nil for nothing of that name.
  public init?(named name: String) {
    // To libevdev a name ends at its first zero.
    guard name.utf8.count <= Self.longestName, !name.utf8.contains(0) else { return nil }
    let direction: Direction = name.hasSuffix("+") ? .up : name.hasSuffix("-") ? .down : .whole
    let word = direction == .whole ? name : String(name.dropLast())
    if word.hasPrefix("ABS_") {
      guard let code = Self.code(of: word, EV_ABS), code < UInt16(ABS_CNT) else { return nil }
      self.init(axis: code, direction)
    } else {
      guard direction == .whole, word.hasPrefix("BTN_") || word.hasPrefix("KEY_"),
        let code = Self.code(of: word, EV_KEY), code < UInt16(KEY_CNT)
      else { return nil }
      self.init(key: code)
    }
  }

  /// The most bytes of a name.
  public static let longestName = 128

  private static func code(of name: String, _ type: Int32) -> UInt16? {
    UInt16(exactly: libevdev_event_code_from_name(UInt32(type), name))
  }

  /// Whether it is an axis.
  public var isAxis: Bool { direction != nil }
}
