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

/// How a run stands behind a verdict.
public struct Tally: Equatable, Sendable {
  /// Beats that were hit.
  public var hits = 0
  /// Beats that were missed.
  public var misses = 0
  /// Hits since the last miss.
  public var combo = 0

  /// Nothing judged yet, or that much.
  public init(hits: Int = 0, misses: Int = 0, combo: Int = 0) {
    self.hits = hits
    self.misses = misses
    self.combo = combo
  }

  /// Hits among what was hit or missed, 0 to 1; nil before there is any.
  public var accuracy: Double? { hits + misses == 0 ? nil : Double(hits) / Double(hits + misses) }
}
