// SPDX-License-Identifier: Apache-2.0

import Problems

/// A pack whose last reading was not taken: what was read of it before counts still, and plays on.
public struct UntakenReading: Codable, Sendable, Equatable {
  /// The pack that is there as it was.
  public var pack: String
  /// The folder that was read, of a pack that is loaded from elsewhere perhaps another than its own.
  public var path: String
  /// When it was read and not taken, on the daemon's clock.
  public var atUs: Int64
  /// The first of what kept it from being taken.
  public var problem: Problem
  /// How many problems the reading had.
  public var problemCount: Int
  /// The reading that counts still.
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
