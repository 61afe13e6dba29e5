// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// Reports what became of one thing that was asked for, and who was late.
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
    /// Its number: the `id` of a cue or a sound, a player, the `plan` of a verb of music, a chapter's beat, the `count` of a
    /// beat of music; taps are counted by the daemon.
    public var id: Int64
    /// The number of the client whose line asked for it; missing for what the daemon did by itself.
    public var client: Int64?
    /// The number of that line among its client's, from 1.
    public var line: Int64?
    /// The instant that its line asked for; missing for as soon as possible.
    public var askedUs: Int64?
    /// The instant for which the daemon planned it, as its reply said; later where a pause of the engine has moved it since.
    public var scheduledUs: Int64
    /// What was done, in the order in which the stages were over.
    public var stages: [TraceStage]
    /// Who was late by more than a millisecond, worst first; empty for nobody.
    public var late: [TraceBlame]
    /// True where records of it are overwritten or were lost, so that stages may be missing.
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
  /// When it began, or will begin.
  public var fromUs: Int64
  /// When it was over; missing where it is not.
  public var toUs: Int64?
  /// How much later it was over than it was to be.
  public var lateUs: Int64
  /// The number of the sound, track or player that it is of.
  public var part: Int64?
  /// What has that number: `sound`, `music` for a track, or `haptics` for a player. A sound and a player may have the same.
  public var partKind: TraceKind?
  /// The haptic output that was written to.
  public var device: String?
  /// The number of the client that it was reported to.
  public var client: Int64?

  public typealias Kind = LifeStage

  public init(
    stage: Kind, fromUs: Int64, toUs: Int64?, lateUs: Int64, part: Int64? = nil,
    partKind: TraceKind? = nil, device: String? = nil, client: Int64? = nil
  ) {
    self.stage = stage
    self.fromUs = fromUs
    self.toUs = toUs
    self.lateUs = lateUs
    self.part = part
    self.partKind = partKind
    self.device = device
    self.client = client
  }
}

/// Who was late.
public struct TraceBlame: Codable, Sendable, Equatable {
  /// Who was late: a client, a device, or a thread of the daemon.
  public var who: Culprit
  /// By how much; where the same one was late several times, by the most.
  public var lateUs: Int64
  /// The name of the haptic output that it was; `unplugged` where that is gone, missing where it was none.
  public var device: String?
  /// The number of the client that it was; missing where it was none.
  public var client: Int64?

  public typealias Culprit = Outcomes.Culprit

  public init(who: Culprit, lateUs: Int64, device: String? = nil, client: Int64? = nil) {
    self.who = who
    self.lateUs = lateUs
    self.device = device
    self.client = client
  }
}
