// SPDX-License-Identifier: Apache-2.0

/// Starts a rhythm chapter.
public enum RhythmStart: WireMethod {
  public static let name = "rhythm.start"
  /// A beat map.
  public static let longParams = ["map"]
  public static let summary =
    "Starts a chapter, and schedules its music so that even the first beat comes into sight its full lead ahead."
  public static let refusals: [RPCError.Kind] = [.unknownName, .unavailable, .alreadyRunning, .busy]

  public struct Params: PlannedParams, Codable, Sendable, Equatable {
    /// `pack:chapter`, or a bare name of the pack that the client uses.
    public var chapter: String
    /// The earliest instant at which the music may begin; as soon as possible when missing.
    public var atUs: Int64?
    /// Whether `rhythm.status` forgets this run when it is over, and reports the chapter before it: for calibrating and
    /// measuring.
    public var unrecorded: Bool?
    /// Where in the song the run begins; beats whose cell opens before that place take no part.
    public var positionUs: Int64?
    /// How fast the song goes; its pitch follows. Windows and leads stay as they are.
    public var rate: Double?
    /// A beat map in place of the chapter's own, as a pack's file has it.
    public var map: JSONText?
    /// How long the chapter goes on when its client has left.
    public var leaseUs: Int64?
    /// How much later than a beat is heard a tap counts as exact; the offset of the profile in force when missing, 0 to
    /// calibrate.
    public var judgingOffsetUs: Int64?

    public init(
      chapter: String, atUs: Int64? = nil, unrecorded: Bool? = nil, positionUs: Int64? = nil, rate: Double? = nil,
      map: JSONText? = nil, leaseUs: Int64? = nil, judgingOffsetUs: Int64? = nil
    ) {
      self.chapter = chapter
      self.atUs = atUs
      self.unrecorded = unrecorded
      self.positionUs = positionUs
      self.rate = rate
      self.map = map
      self.leaseUs = leaseUs
      self.judgingOffsetUs = judgingOffsetUs
    }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Where in the song it begins; below the chapter's length.
    public let position = OptionalParam<Int64>("positionUs", in: 0...(.unbounded), default: 0)
    /// How fast the song goes.
    public let rate = OptionalParam("rate", in: 0.5...1.5, default: 1)
    /// How long it goes on without its client.
    public let lease = OptionalParam("leaseUs", in: leaseLengths, default: 10_000_000)
    /// Late is positive.
    public let judgingOffset = RangedParam<Int64>("judgingOffsetUs", in: judgingOffsets, hint: judgingOffsetHint)
  }

  public struct Result: CarriesInstants, Codable, Sendable, Equatable {
    /// The chapter, `pack:chapter`.
    public var chapter: String
    /// The instant at which the song begins, at `positionUs`.
    public var startUs: Int64
    /// The instant at which the chapter is over: its length has passed, and no beat can be hit any more.
    public var endUs: Int64
    /// How many beats there are to be hit.
    public var beats: Int
    /// The lanes that taps name; empty when they name none.
    public var lanes: [String]
    /// Half-width of a beat's window, before any help.
    public var windowUs: Int64
    /// How long before a beat is heard its spawn is reported.
    public var spawnLeadUs: Int64
    /// The number of this run: taps that name another are refused.
    public var run: Int64
    /// Where in the song the run begins.
    public var positionUs: Int64
    /// How fast the song goes.
    public var rate: Double
    /// The grades that hits earn by their error, the narrowest first.
    public var grades: [GradeWindow]
    /// How much later than a beat is heard a tap counts as exact, to the end of the run; only judging uses it.
    public var judgingOffsetUs: Int64
    /// How much later the sound device is heard than it reports by itself. All instants include it. It stays as it is as long
    /// as that device plays.
    public var deviceLeadUs: Int64

    public init(
      chapter: String, startUs: Int64, endUs: Int64, beats: Int, lanes: [String], windowUs: Int64, spawnLeadUs: Int64,
      run: Int64 = 1, positionUs: Int64 = 0, rate: Double = 1, grades: [GradeWindow] = [], judgingOffsetUs: Int64 = 0,
      deviceLeadUs: Int64 = 0
    ) {
      self.chapter = chapter
      self.startUs = startUs
      self.endUs = endUs
      self.beats = beats
      self.lanes = lanes
      self.windowUs = windowUs
      self.spawnLeadUs = spawnLeadUs
      self.run = run
      self.positionUs = positionUs
      self.rate = rate
      self.grades = grades
      self.judgingOffsetUs = judgingOffsetUs
      self.deviceLeadUs = deviceLeadUs
    }

    /// Its beginning and its end.
    public mutating func moveInstants(_ moved: (Int64) -> Int64) {
      startUs = moved(startUs)
      endUs = moved(endUs)
    }
  }
}

/// How long a chapter may go on without its client.
let leaseLengths: ClosedRange<Int64> = 0...3_600_000_000

/// A name for hits that are near enough to their beat.
public struct GradeWindow: Codable, Sendable, Equatable {
  /// Its name, as the pack has it.
  public var grade: String
  /// The largest error, early or late, that earns it.
  public var windowUs: Int64

  public init(grade: String, windowUs: Int64) {
    self.grade = grade
    self.windowUs = windowUs
  }
}
