// SPDX-License-Identifier: Apache-2.0

/// Tells what cues hold.
public enum CueList: WireMethod {
  public static let name = "cue.list"
  public static let summary =
    "Lists the cues of all packs and what each of them holds, in the order of `pack.list`, a page at a time."
  public static let refusals: [RPCError.Kind] = [.unknownName]

  /// The most cues that are listed at once, and how many bytes several of them come to at most.
  public static let page = 64
  public static let pageBytes = 1 << 15

  public struct Params: Codable, Sendable, Equatable {
    /// The last cue of the page before, `pack:cue`; the first page when missing.
    public var after: String?

    public init(after: String? = nil) { self.after = after }
  }

  public struct Result: Codable, Sendable, Equatable {
    /// The cues, 64 at most, fewer where they hold much.
    public var cues: [Cue]
    /// Whether more follow: ask again with the last of these as `after`.
    public var more: Bool

    public init(cues: [Cue], more: Bool) {
      self.cues = cues
      self.more = more
    }
  }

  /// What one cue holds.
  public struct Cue: Codable, Sendable, Equatable {
    /// `pack:cue`.
    public var name: String
    /// Its steps, in the order of its pack.
    public var steps: [Step]
    /// How sound and haptics meet, where its pack says so.
    public var align: CueFire.Params.Align?
    /// How far apart two firings are at least, where its pack says so.
    public var cooldownUs: Int64?

    public init(name: String, steps: [Step], align: CueFire.Params.Align? = nil, cooldownUs: Int64? = nil) {
      self.name = name
      self.steps = steps
      self.align = align
      self.cooldownUs = cooldownUs
    }
  }

  /// One step of a cue.
  public struct Step: Codable, Sendable, Equatable {
    /// How long after the cue's zero it comes.
    public var offsetUs: Int64
    /// What it does, in a few words for people, as in "sound bell".
    public var does: String
    /// How long it lasts, where it is a vibration.
    public var lengthUs: Int64?

    public init(offsetUs: Int64, does: String, lengthUs: Int64? = nil) {
      self.offsetUs = offsetUs
      self.does = does
      self.lengthUs = lengthUs
    }
  }
}
