// SPDX-License-Identifier: Apache-2.0

/// Where something begins to move in what an accelerometer or a contact microphone gave.
public struct TouchSearch: Sendable {
  /// So many times the level at rest is movement.
  public static let timesRest = 8.0
  /// The least level that counts, of full scale: -60 dB.
  public static let leastLevel = 0.001

  /// An empty search.
  public init() {}

  /// The first frame among `frames` of `samples` that is well above how `rest` was, at its root mean square without its
  /// mean; nil where nothing moves.
  public func find(in samples: [Float], among frames: Range<Int>, atRest rest: Range<Int>) -> Int? {
    let rest = rest.clamped(to: samples.indices)
    let frames = frames.clamped(to: samples.indices)
    guard !rest.isEmpty else { return nil }
    let mean = rest.reduce(0) { $0 + Double(samples[$1]) } / Double(rest.count)
    let squares = rest.reduce(0) { sum, index in
      let value = Double(samples[index]) - mean
      return sum + value * value
    }
    let threshold = max(Self.leastLevel, Self.timesRest * (squares / Double(rest.count)).squareRoot())
    return frames.first { abs(Double(samples[$0]) - mean) > threshold }
  }
}
