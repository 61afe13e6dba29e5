// SPDX-License-Identifier: Apache-2.0

/// When the clicks come that somebody taps to: at gaps that nobody can foresee.
///
/// With even gaps a delay of half of one cannot be told from a tap that was early; and whoever foresees the next click taps
/// by an inner beat, whatever is heard.
public struct ClickTimes: Equatable, Sendable {
  /// From one click to the next, in microseconds.
  public static let gaps: ClosedRange<Int64> = 900_000...1_300_000
  /// How far from its click a tap may be, either way: nearer to it than to any other. In microseconds.
  public static let window = gaps.lowerBound / 2

  /// In microseconds, rising.
  public let moments: [Int64]

  /// `count` clicks from `first` on, with gaps drawn from `numbers`.
  public init(_ count: Int, from first: Int64, using numbers: inout some RandomNumberGenerator) {
    var moments: [Int64] = []
    var at = first
    for _ in 0..<max(0, count) {
      moments.append(at)
      at += Int64.random(in: Self.gaps, using: &numbers)
    }
    self.moments = moments
  }
}
