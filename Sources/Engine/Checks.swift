import Glibc
import Mixing
import Timing
import Wire

extension Engine {
  /// A fade of what was asked for or counts without; at least the 5 ms that do not click.
  func fade(
    _ lengthUs: Int64?, _ parameter: OptionalParameter<Int64>, law: FadeShape
  ) throws(RPCError) -> Fade {
    let length = Interval.microseconds(try parameter.checked(lengthUs))
    let frames = max(length, .milliseconds(5)).frames(rate: configuration.rate)
    return Fade(frames: Int32(frames), law: law == .linear ? .linear : .equalPower)
  }
}

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
