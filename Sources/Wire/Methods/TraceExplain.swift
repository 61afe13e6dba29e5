// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// Tells what became of one thing that was asked for, and who was late.
public enum TraceExplain: WireMethod {
  public static let name = "trace.explain"
  public static let summary =
    "Reports the life of a cue, a sound, a haptic player, a verb of music, a tap or a beat: each stage with its instant, and who was late."
  public static let refusals: [RPCError.Kind] = [.unavailable]
  public static let mayBeLeft = true

  public struct Params: Codable, Sendable, Equatable {
    /// What kind of thing; of any kind when missing.
    public var kind: TraceKind?
    /// Its number, which needs `kind`; the latest when missing.
    public var id: Int64?

    /// The thing of that kind and number.
    public init(kind: TraceKind? = nil, id: Int64? = nil) {
      self.kind = kind
      self.id = id
    }
  }

  public struct Result: Codable, Sendable, Equatable {
    /// What kind of thing it is.
    public var kind: TraceKind
    /// Its number: the id of a cue or a sound, a player, a plan of music, a chapter's beat, a beat's `count`; taps are
    /// counted by the daemon.
    public var id: Int64
    /// Whose line asked for it, counted by connections; none for what the daemon did by itself.
    public var client: Int64?
    /// The number of that line among its client's, from 1.
    public var line: Int64?
    /// When it was to be, as its line had it; none for as soon as possible.
    public var askedUs: Int64?
    /// When the daemon said that it would be; later where a pause of the engine moved it since.
    public var scheduledUs: Int64
    /// What was done, in the order in which it was over.
    public var stages: [TraceStage]
    /// Who was late by more than a millisecond, worst first; empty for nobody.
    public var late: [TraceBlame]
    /// True where records of it are overwritten or were lost: what is missing then is not known.
    public var incomplete: Bool?

    public init(
      kind: TraceKind, id: Int64, client: Int64?, line: Int64?, askedUs: Int64?, scheduledUs: Int64,
      stages: [TraceStage], late: [TraceBlame], incomplete: Bool? = nil
    ) {
      self.incomplete = incomplete
      self.kind = kind
      self.id = id
      self.client = client
      self.line = line
      self.askedUs = askedUs
      self.scheduledUs = scheduledUs
      self.stages = stages
      self.late = late
    }
  }
}

/// One thing that was done on the way.
public struct TraceStage: Codable, Sendable, Equatable {
  /// What was done.
  public var stage: Kind
  /// When it was begun, or is to be.
  public var fromUs: Int64
  /// When it was over; none where it is not.
  public var toUs: Int64?
  /// How much later than it was to be over.
  public var lateUs: Int64
  /// The sound or player that it is of, where a thing has several.
  public var part: Int64?
  /// The haptic output that was written to.
  public var device: String?
  /// The client that was told.
  public var client: Int64?

  public typealias Kind = LifeStage

  public init(
    stage: Kind, fromUs: Int64, toUs: Int64?, lateUs: Int64, part: Int64? = nil, device: String? = nil,
    client: Int64? = nil
  ) {
    self.stage = stage
    self.fromUs = fromUs
    self.toUs = toUs
    self.lateUs = lateUs
    self.part = part
    self.device = device
    self.client = client
  }
}

/// Who was late.
public struct TraceBlame: Codable, Sendable, Equatable {
  /// Who was: a client, a device, or a thread of the daemon.
  public var who: Culprit
  /// By how much: of several times that the same one was, the longest.
  public var lateUs: Int64
  /// Which haptic output it was, by its name; `unplugged` where that is gone, none where it was no haptic output.
  public var device: String?
  /// Which client it was; none where it was no client.
  public var client: Int64?

  public typealias Culprit = Outcomes.Culprit

  public init(who: Culprit, lateUs: Int64, device: String? = nil, client: Int64? = nil) {
    self.who = who
    self.lateUs = lateUs
    self.device = device
    self.client = client
  }
}
