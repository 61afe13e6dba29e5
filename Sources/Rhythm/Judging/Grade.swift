// SPDX-License-Identifier: Apache-2.0

/// A name for hits that are near enough to their beat.
public struct Grade: Hashable, Sendable {
  /// The most that a chapter has.
  public static let most = 8

  /// As the pack calls it.
  public var name: String
  /// Half-width of its window in microseconds, inclusive.
  public var window: Int64

  /// Hits within `window` microseconds of their beat.
  public init(name: String, window: Int64) {
    self.name = name
    self.window = window
  }
}
