// SPDX-License-Identifier: Apache-2.0

/// What carries instants that a pause moves: the engine plans in a time of its own, which stands while it is paused, and
/// what clients write and read is of the clock. Instants of the clock itself, such as `nowUs`, are none of these.
public protocol CarriesInstants {
  /// Puts `moved(instant)`, in microseconds, in place of each instant.
  mutating func moveInstants(_ moved: (Int64) -> Int64)
}

extension WireMethod where Params: CarriesInstants {
  /// True: while the engine is paused an instant is refused.
  public static var takesInstants: Bool { true }
  /// Puts `moved(instant)` in place of each instant of `params`.
  public static func moveInstants(of params: inout Params, _ moved: (Int64) -> Int64) { params.moveInstants(moved) }
}

extension WireMethod {
  /// False.
  public static var takesInstants: Bool { false }
  /// There are none.
  public static func moveInstants(of params: inout Params, _ moved: (Int64) -> Int64) {}
  /// There are none.
  public static func moveInstants(in result: inout Result, _ moved: (Int64) -> Int64) {}
  /// None.
  public static func instantAsked(_ params: Params) -> Int64? { nil }
  /// False.
  public static func isQuantised(_ params: Params) -> Bool { false }
}

extension WireMethod where Result: CarriesInstants {
  /// Puts `moved(instant)` in place of each instant of `result`.
  public static func moveInstants(in result: inout Result, _ moved: (Int64) -> Int64) { result.moveInstants(moved) }
}

extension WireNotification {
  /// There are none.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) {}
}

/// Where an instant of a run lies that moves along with `other`, as far from it as ever: its beginning with what is still to come,
/// for its beats are counted from there through all pauses, and what is still to come of a run that is held with where it is held.
func movedAlong(_ instant: Int64, with other: Int64?, _ moved: (Int64) -> Int64) -> Int64 {
  guard let other else { return moved(instant) }
  return moved(other) + (instant - other)
}

/// Params whose one instant is when it is to happen, or happened.
public protocol PlannedParams: CarriesInstants {
  /// That instant; as soon as possible where it is missing.
  var atUs: Int64? { get set }
}

extension PlannedParams {
  /// Its one instant.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { atUs = atUs.map(moved) }
}

/// Params whose instant may be moved to where the music comes to a beat.
public protocol QuantisedParams: PlannedParams {
  /// Which beat or marker that is; none where it is missing.
  var quantise: Quantise? { get }
}

extension WireMethod where Params: PlannedParams {
  /// Their `atUs`.
  public static func instantAsked(_ params: Params) -> Int64? { params.atUs }
}

extension WireMethod where Params: QuantisedParams {
  /// Whether they name a beat or marker.
  public static func isQuantised(_ params: Params) -> Bool { params.quantise != nil }
}

/// A result whose one instant is when it is heard or felt.
public protocol ScheduledResult: CarriesInstants {
  /// That instant.
  var scheduledUs: Int64 { get set }
}

extension ScheduledResult {
  /// Its one instant.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { scheduledUs = moved(scheduledUs) }
}
