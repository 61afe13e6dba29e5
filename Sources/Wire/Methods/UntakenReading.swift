// SPDX-License-Identifier: Apache-2.0

import Problems

/// A pack whose last reading was not taken: what was read of it before counts still, and plays on.
public struct UntakenReading: Codable, Sendable, Equatable {
  /// The pack, which is there as it was read before.
  public var pack: String
  /// The folder that was read; it may be another than the one that the pack is loaded from.
  public var path: String
  /// When it was read and not taken, on the daemon's clock.
  public var atUs: Int64
  /// The first problem that kept it from being taken.
  public var problem: Problem
  /// How many problems the reading had.
  public var problemCount: Int
  /// The number of the reading that still counts.
  public var generation: Int

  public init(pack: String, path: String, atUs: Int64, problem: Problem, problemCount: Int, generation: Int) {
    self.pack = pack
    self.path = path
    self.atUs = atUs
    self.problem = problem
    self.problemCount = problemCount
    self.generation = generation
  }
}
