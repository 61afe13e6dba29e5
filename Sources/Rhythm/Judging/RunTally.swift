// SPDX-License-Identifier: Apache-2.0

/// How a run stands behind a verdict.
public struct RunTally: Equatable, Sendable {
  /// Beats that were hit.
  public var hits = 0
  /// Beats that were missed.
  public var misses = 0
  /// Hits since the last miss.
  public var combo = 0

  /// Hits among what was hit or missed, 0 to 1; nil before there is any.
  public var accuracy: Double? { hits + misses == 0 ? nil : Double(hits) / Double(hits + misses) }
}
