// SPDX-License-Identifier: Apache-2.0

/// Where an axis is, and between what it lies.
public struct AxisPlace: Equatable, Sendable {
  /// In the device's own units, as are its ends.
  public var value: Int32
  /// The least it gives.
  public var minimum: Int32
  /// The most it gives.
  public var maximum: Int32

  /// An axis at `value`, which goes from `minimum` to `maximum`.
  public init(_ value: Int32, in minimum: Int32, _ maximum: Int32) {
    self.value = value
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// One direction of an axis as a switch: on from 0.5 of its way, off again below 0.4, so that a hand that trembles taps once.
///
/// The way is half the axis from its middle, or all of it where the direction is `whole`. Exact: no rounding.
public struct AxisSwitch: Equatable, Sendable {
  /// Which way it is moved.
  public let direction: Control.Direction
  private var ends: (minimum: Int64, maximum: Int64)?
  /// Nil as long as nobody knows.
  public private(set) var isOn: Bool?

  /// A switch of an axis that nobody has looked at.
  public init(_ direction: Control.Direction) { self.direction = direction }

  /// Whether where the axis is has to be looked for.
  public var isUnknown: Bool { isOn == nil }

  /// Goes by what was found; that is no tap. An axis without a way is off for good.
  public mutating func find(_ place: AxisPlace) {
    ends = (Int64(place.minimum), Int64(place.maximum))
    isOn = nil
    _ = move(to: place.value)
  }

  /// Where it is is not known any more.
  public mutating func lose() { isOn = nil }

  /// Follows the axis; true where that turns it on. What was not known by then only becomes known.
  public mutating func move(to value: Int32) -> Bool {
    guard let ends else { return false }
    let wasOn = isOn
    let (way, length) = way(to: Int64(value), ends)
    isOn = length > 0 && (2 * way >= length || (wasOn == true && 5 * way >= 2 * length))
    return wasOn == false && isOn == true
  }

  /// How far it has come, of how far it can.
  private func way(to value: Int64, _ ends: (minimum: Int64, maximum: Int64)) -> (way: Int64, length: Int64) {
    let length = ends.maximum - ends.minimum
    // From the middle both are doubled: it may lie between two values.
    return switch direction {
    case .whole: (value - ends.minimum, length)
    case .up: (2 * value - ends.minimum - ends.maximum, length)
    case .down: (ends.minimum + ends.maximum - 2 * value, length)
    }
  }

  /// The same of what they were told.
  public static func == (one: AxisSwitch, other: AxisSwitch) -> Bool {
    one.direction == other.direction && one.isOn == other.isOn && one.ends?.minimum == other.ends?.minimum
      && one.ends?.maximum == other.ends?.maximum
  }
}
