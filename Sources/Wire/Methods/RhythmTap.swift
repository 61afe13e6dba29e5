// SPDX-License-Identifier: Apache-2.0

import JSON

/// Judges a tap.
public enum RhythmTap: WireMethod {
  public static let name = "rhythm.tap"
  public static let summary = "Judges a tap against the chapter's beats, at the instant of its stamp."
  public static let refusals: [RPCError.Kind] = [.notRunning, .stampInFuture, .tooLate]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// The instant of the tap on the daemon's clock. Without it and `agoUs` it is when the line arrives.
    public var atUs: Int64?
    /// How long before its line arrives the tap was, for clients on another clock.
    public var agoUs: Int64?
    /// The lane that is tapped, in chapters that have lanes.
    public var lane: String?
    /// The number of the run that the tap is for; where another one runs, the tap is refused.
    public var run: Int64?

    public init(atUs: Int64? = nil, agoUs: Int64? = nil, lane: String? = nil, run: Int64? = nil) {
      self.atUs = atUs
      self.agoUs = agoUs
      self.lane = lane
      self.run = run
    }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// How long ago it was.
    public let ago = RangedParam<Int64>(
      "agoUs", in: 0...(.unbounded), hint: "agoUs says how long ago the tap was, in microseconds")
  }

  public struct Result: CarriesInstants, Codable, Sendable, Equatable {
    /// What the tap came to.
    public var verdict: TapVerdictKind
    /// The beat that it claimed, counted from 0.
    public var beat: Int?
    /// Tap minus beat: negative is early.
    public var errorUs: Int64?
    /// The instant the tap was judged at.
    public var tapUs: Int64
    /// Where that instant came from.
    public var stamp: StampSource
    /// What a hit earned, where the chapter has grades and it is near enough.
    public var grade: String?
    /// The number of the run.
    public var run: Int64

    public init(
      verdict: TapVerdictKind, beat: Int?, errorUs: Int64?, tapUs: Int64, stamp: StampSource, grade: String? = nil,
      run: Int64 = 1
    ) {
      self.verdict = verdict
      self.beat = beat
      self.errorUs = errorUs
      self.tapUs = tapUs
      self.stamp = stamp
      self.grade = grade
      self.run = run
    }

    /// The tap's.
    public mutating func moveInstants(_ moved: (Int64) -> Int64) { tapUs = moved(tapUs) }
  }

  /// Member by member: a player waits for it, and an `Encoder` takes three times as long.
  public static func write(_ result: Result, to writer: inout JSONWriter) {
    writer.copy("{")
    if let beat = result.beat {
      writer.copy("\"beat\":")
      writer.write(Int64(beat))
      writer.copy(",")
    }
    if let error = result.errorUs {
      writer.copy("\"errorUs\":")
      writer.write(error)
      writer.copy(",")
    }
    if let grade = result.grade {
      writer.copy("\"grade\":")
      writer.write(grade)
      writer.copy(",")
    }
    writer.copy("\"run\":")
    writer.write(result.run)
    writer.copy(",\"stamp\":")
    writer.write(result.stamp.rawValue)
    writer.copy(",\"tapUs\":")
    writer.write(result.tapUs)
    writer.copy(",\"verdict\":")
    writer.write(result.verdict.rawValue)
    writer.copy("}")
  }

  /// Where the instant of a tap can come from.
  public enum StampSource: String, Codable, Sendable, CaseIterable {
    /// `atUs`.
    case at
    /// `agoUs`.
    case ago
    /// Neither was given: the arrival of the line.
    case arrival
  }
}

/// What a tap can come to.
public enum TapVerdictKind: String, Codable, Sendable, CaseIterable {
  /// It claimed `beat`.
  case hit
  /// It claimed nothing; no miss is counted.
  case ghost
  /// It is not judged yet, because what comes before it is still open, such as help that may begin: a `rhythm.judgement`
  /// reports the verdict in a moment.
  case held
}
