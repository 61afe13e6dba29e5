// SPDX-License-Identifier: Apache-2.0

/// Reads the clock and the audio timeline in one go.
public enum ClockNow: WireMethod {
  public static let name = "clock.now"
  public static let summary = "Reports the daemon's clock, and which frame is heard at which instant."
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Equatable {
    /// CLOCK_MONOTONIC, or the stepped clock, now.
    public var nowUs: Int64
    /// The latest reading of the audio timeline.
    public var timeline: Timeline

    public init(nowUs: Int64, timeline: Timeline) {
      self.nowUs = nowUs
      self.timeline = timeline
    }
  }
}

/// One reading of which frame is heard when.
public struct Timeline: Codable, Sendable, Equatable {
  /// A frame of the engine's output, counted from its start.
  public var frame: Int64
  /// The instant at which that frame is heard.
  public var instantUs: Int64
  /// Frames a second as measured on CLOCK_MONOTONIC.
  public var framesPerSecond: Double
  /// Half-width of the 99 % interval around `instantUs`, rounded up.
  public var errorUs: Int64

  public init(frame: Int64, instantUs: Int64, framesPerSecond: Double, errorUs: Int64) {
    self.frame = frame
    self.instantUs = instantUs
    self.framesPerSecond = framesPerSecond
    self.errorUs = errorUs
  }
}

/// Moves the stepped clock.
public enum ClockStep: WireMethod {
  public static let name = "clock.step"
  public static let summary =
    "Runs a stepped daemon up to an instant, and answers when every notification up to there is queued."
  public static let refusals: [RPCError.Kind] = [.notStepped]

  public struct Params: Codable, Sendable, Equatable {
    /// The instant to run to; not before now, at most an hour ahead.
    public var toUs: Int64

    public init(toUs: Int64) { self.toUs = toUs }
  }

  public struct Result: Codable, Sendable, Equatable {
    /// The clock after the step.
    public var nowUs: Int64

    public init(nowUs: Int64) { self.nowUs = nowUs }
  }
}
