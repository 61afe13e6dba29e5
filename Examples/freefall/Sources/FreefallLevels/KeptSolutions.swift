// SPDX-License-Identifier: Apache-2.0

/// How a level can be finished: the first is the kept one, those after it take collectibles it passes by.
public struct KeptSolutions: Codable, Equatable, Sendable {
  /// By how much every flip of the kept solution may err, both ways.
  public var marginUs: Int64
  public var solutions: [Solution]

  /// Flips, in microseconds after the launch.
  public struct Solution: Codable, Equatable, Sendable {
    public var flipsUs: [Int64]
    /// Indices of the collectibles it takes.
    public var collects: [Int]

    /// A solution by these flips.
    public init(flipsUs: [Int64], collects: [Int]) {
      self.flipsUs = flipsUs
      self.collects = collects
    }
  }

  /// These solutions, the kept one first.
  public init(marginUs: Int64, solutions: [Solution]) {
    self.marginUs = marginUs
    self.solutions = solutions
  }
}
