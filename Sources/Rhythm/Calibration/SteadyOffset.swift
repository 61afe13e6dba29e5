// SPDX-License-Identifier: Apache-2.0

/// By how much all of a run of measurements is off alike, such as a player's taps: a middle that a few wild ones do not
/// move, and only where the run was steady enough to believe it.
public struct SteadyOffset: Equatable, Sendable {
  /// One measurement.
  public struct Sample: Equatable, Sendable {
    /// When it was, in microseconds of any clock.
    public var at: Int64
    /// How far off it was, in microseconds: late is positive.
    public var error: Int64

    /// A measurement at `at` that was off by `error`; beyond a minute either way it counts as a minute.
    public init(at: Int64, error: Int64) {
      self.at = at
      self.error = min(max(error, -60_000_000), 60_000_000)
    }
  }

  /// What a run has to be like to be believed. Lengths are microseconds.
  public struct Limits: Equatable, Sendable {
    /// So many at the beginning do not count: whoever measures finds the beat first.
    public var warmUp: Int
    /// So many have to be left.
    public var least: Int
    /// The largest spread.
    public var spread: Int64
    /// The largest standard error.
    public var standardError: Int64
    /// The largest drift over the run, either way.
    public var drift: Int64

    /// Limits of one's own.
    public init(warmUp: Int, least: Int, spread: Int64, standardError: Int64, drift: Int64) {
      self.warmUp = warmUp
      self.least = least
      self.spread = spread
      self.standardError = standardError
      self.drift = drift
    }

    /// Of a person who taps along.
    public static let taps = Limits(warmUp: 4, least: 30, spread: 40_000, standardError: 5_000, drift: 10_000)
    /// Of chirps that are found to the sample in what was captured: all that scatters is a device's own readings.
    public static let chirps = Limits(warmUp: 4, least: 20, spread: 2_000, standardError: 500, drift: 1_000)
  }

  /// More than these are not looked at: every pair tells of the drift.
  public static let mostSamples = 1_000
  /// What lies further out than this many spreads is wild.
  public static let wild = 3.0
  /// From the median absolute deviation to the standard deviation of what is spread normally.
  public static let normal = 1.4826
  /// Nobody is steadier than that: within it nothing is wild, in microseconds.
  private static let leastReach = 1_000.0

  /// The middle error, in microseconds: positive where what was measured came late.
  public private(set) var median: Int64
  /// 1.4826 times the median absolute deviation: what the standard deviation would be without wild ones.
  public private(set) var spread: Int64
  /// Of the median: half of what lies between the order statistics half a root of their number below and above it.
  ///
  /// How many fall below the true median is binomial, with a standard deviation of half a root of their number; so this
  /// asks for no distribution, and sees where two heaps lie and the middle falls between them.
  public private(set) var standardError: Int64
  /// From the run's beginning to its end, by the median slope of all pairs (Theil and Sen); positive where later ones came
  /// later.
  public private(set) var drift: Int64
  /// How many samples it is made of: those behind the warm-up that are not wild.
  public private(set) var count: Int
  /// How many behind the warm-up were wild: too far from the median of them all.
  public private(set) var leftOut: Int

  /// Of `samples` in order of time; refused where they cannot be believed.
  public init(_ samples: [Sample], limits: Limits = .taps) throws(OffsetRefusal) {
    let steady = Array(samples.dropFirst(limits.warmUp).prefix(Self.mostSamples))
    let all = TapStatistics(errors: steady.map(\.error))
    let reach = max(Self.leastReach, Self.wild * Self.normal * Double(all.medianAbsoluteDeviation))
    let kept = steady.filter { abs(Double($0.error - all.median)) <= reach }
    guard kept.count >= max(2, limits.least) else { throw .tooFew(left: kept.count, needed: limits.least) }
    let line = DriftLine(kept)
    (count, leftOut, drift) = (kept.count, steady.count - kept.count, line.overall)
    let errors = kept.map(\.error)
    median = TapStatistics(errors: errors).median
    spread = Self.spread(of: errors)
    standardError = Self.standardError(of: errors)
    // What a drift alone makes wide is told as a drift.
    let straight = kept.map(line.straightened)
    for errors in [straight, errors] {
      let (spread, standardError) = (Self.spread(of: errors), Self.standardError(of: errors))
      if spread > limits.spread { throw .scattered(by: spread, most: limits.spread) }
      if standardError > limits.standardError { throw .uncertain(by: standardError, most: limits.standardError) }
      if abs(drift) > limits.drift { throw .drifting(by: drift, most: limits.drift) }
    }
  }

  private static func spread(of errors: [Int64]) -> Int64 {
    Int64((normal * Double(TapStatistics(errors: errors).medianAbsoluteDeviation)).rounded())
  }

  private static func standardError(of errors: [Int64]) -> Int64 {
    let sorted = errors.sorted().map(Double.init)
    let (middle, half) = (Double(sorted.count - 1) / 2, Double(sorted.count).squareRoot() / 2)
    func value(at place: Double) -> Double {
      let below = Int(min(max(place, 0), Double(sorted.count - 1)))
      let above = min(below + 1, sorted.count - 1)
      return sorted[below] + (sorted[above] - sorted[below]) * min(max(place - Double(below), 0), 1)
    }
    return Int64(((value(at: middle + half) - value(at: middle - half)) / 2).rounded())
  }
}

/// A straight line through errors over time that a few wild ones do not bend.
private struct DriftLine {
  private let first: Int64
  /// Microseconds a microsecond.
  private let slope: Double
  private let length: Double

  init(_ samples: [SteadyOffset.Sample]) {
    first = samples[0].at
    length = Double(samples[samples.count - 1].at) - Double(first)
    var slopes: [Double] = []
    slopes.reserveCapacity(samples.count * (samples.count - 1) / 2)
    for (index, early) in samples.enumerated() {
      for late in samples[(index + 1)...] {
        let apart = Double(late.at) - Double(early.at)
        if apart > 0 { slopes.append(Double(late.error - early.error) / apart) }
      }
    }
    slopes.sort()
    let middle = slopes.count / 2
    slope =
      slopes.isEmpty ? 0 : slopes.count % 2 == 1 ? slopes[middle] : (slopes[middle - 1] + slopes[middle]) / 2
  }

  /// Over the whole run.
  var overall: Int64 { Int64(min(max(slope * length, -1e12), 1e12).rounded()) }

  /// The error without what the line says.
  func straightened(_ sample: SteadyOffset.Sample) -> Int64 {
    let drifted = slope * (Double(sample.at) - Double(first))
    return sample.error - Int64(min(max(drifted, -1e12), 1e12).rounded())
  }
}
