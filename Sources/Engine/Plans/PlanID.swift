// SPDX-License-Identifier: Apache-2.0

/// One thing that was asked for and has not happened yet: by this number it can be called off.
public struct PlanID: Hashable, Sendable, Comparable, BitwiseCopyable {
  /// Counts from 1, in the order of asking.
  public var rawValue: Int64

  /// The plan of that number.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether `a` was asked for before `b`.
  public static func < (a: PlanID, b: PlanID) -> Bool { a.rawValue < b.rawValue }
}
