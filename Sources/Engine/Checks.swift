import Glibc
import Mixing
import Timing
import Wire

/// Checks of what clients send, with messages that say the range.
extension Engine {
  /// `value`, or `fallback` when missing; refuses what lies outside `range` and what is not a number.
  func checked(
    _ value: Double?, _ field: String, in range: ClosedRange<Double>, default fallback: Double
  ) throws(RPCError) -> Double {
    guard let value else { return fallback }
    guard range.contains(value) else {
      throw RPCError(
        .invalidParams, "\(field) \(plain(value)) is outside \(plain(range.lowerBound)) to \(plain(range.upperBound))",
        hint: "give a number in the range")
    }
    return value
  }

  /// A fade of that many microseconds, at least the 5 ms that do not click, at most a minute.
  func fade(
    _ lengthUs: Int64?, field: String, law: FadeShape, default fallback: Interval
  ) throws(RPCError) -> Fade {
    let length = lengthUs.map { Interval.microseconds($0) } ?? fallback
    guard length >= .zero, length <= .milliseconds(60_000) else {
      throw RPCError(
        .invalidParams, "\(field) \(length.microseconds) is outside 0 to 60000000", hint: "fades last at most a minute")
    }
    let frames = max(length, .milliseconds(5)).frames(rate: configuration.rate)
    return Fade(frames: Int32(frames), law: law == .linear ? .linear : .equalPower)
  }
}

/// A number as people write it: 4, not 4.0.
private func plain(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }

/// The linear gain of decibels: 10^(dB/20).
func decibelGain(_ decibels: Double) -> Double { pow(10, decibels / 20) }

extension Timeline {
  /// As clients read it; the bound is rounded up.
  public init(_ timeline: AudioTimeline) {
    self.init(
      frame: timeline.frame, instantUs: timeline.instant.microseconds,
      framesPerSecond: 1e9 / timeline.nanosecondsPerFrame,
      errorUs: (timeline.errorBound + Interval(nanoseconds: 999)).microseconds)
  }
}
