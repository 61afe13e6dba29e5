// SPDX-License-Identifier: Apache-2.0

/// Starts a rhythm chapter.
public enum RhythmStart: WireMethod {
  /// The method's name on the wire.
  public static let name = "rhythm.start"
  /// Its one sentence for people.
  public static let summary = "Starts a chapter: its music is scheduled so that the first spawn is whole."
  /// Its own kinds of errors.
  public static let refusals: [RPCError.Kind] = [.unknownName, .unavailable, .alreadyRunning]

  /// What the client asks for.
  public struct Params: Codable, Sendable, Equatable {
    /// A chapter of the active pack, or `pack:chapter`.
    public var chapter: String
    /// The earliest instant at which the music may begin; as soon as possible when missing.
    public var atUs: Int64?
    /// Whether `rhythm.status` forgets it when it is over and tells of the chapter before: for calibration and measuring.
    public var unrecorded: Bool?

    public init(chapter: String, atUs: Int64? = nil, unrecorded: Bool? = nil) {
      self.chapter = chapter
      self.atUs = atUs
      self.unrecorded = unrecorded
    }
  }

  /// What it is answered.
  public struct Result: Codable, Sendable, Equatable {
    /// The chapter, `pack:chapter` where its pack is not the active one.
    public var chapter: String
    /// The instant of song position zero.
    public var startUs: Int64
    /// The instant at which the chapter is over at the latest plan.
    public var endUs: Int64
    /// How many beats there are to be hit.
    public var beats: Int
    /// The lanes that taps name; empty when they name none.
    public var lanes: [String]
    /// Half-width of a beat's window, before any help.
    public var windowUs: Int64
    /// How far ahead of its beat a spawn is told.
    public var spawnLeadUs: Int64

    public init(
      chapter: String, startUs: Int64, endUs: Int64, beats: Int, lanes: [String], windowUs: Int64, spawnLeadUs: Int64
    ) {
      self.chapter = chapter
      self.startUs = startUs
      self.endUs = endUs
      self.beats = beats
      self.lanes = lanes
      self.windowUs = windowUs
      self.spawnLeadUs = spawnLeadUs
    }
  }
}
