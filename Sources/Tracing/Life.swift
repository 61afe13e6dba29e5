// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Timing

/// What became of one cue, sound, player, verb of music, tap or beat, and who was late.
public struct Life: Equatable, Sendable {
  /// What it is the life of.
  public var subject: TraceKind
  /// Its number, as clients were told it; of a tap, counted by the daemon.
  public var id: Int64
  /// Whose line it goes back to; 0 for the daemon itself.
  public var client: UInt32
  /// The number of that line among its client's; 0 for none.
  public var line: UInt32
  /// When it was to be; nil for as soon as possible.
  public var asked: Instant?
  /// When the daemon said that it would be.
  public var scheduled: Instant
  /// What was done, in the order in which it was over.
  public var stages: [Stage]
  /// Who was late, worst first.
  public var blames: [Blame]
  /// Whether records of it are overwritten or were lost: what is missing is not known then.
  public var isIncomplete = false

  /// What a thing plays, by its number among its kind: a sound and a player may have the same.
  public enum Part: Hashable, Sendable {
    /// A voice that plays a sound.
    case sound(UInt64)
    /// A voice that plays a track.
    case track(UInt64)
    /// A haptic player.
    case player(UInt64)
  }

  /// One thing that was done on the way.
  public struct Stage: Equatable, Sendable {
    /// What was done.
    public var kind: LifeStage
    /// When it was begun, or is to be; where it has no length of its own, when it was over.
    public var begun: Instant
    /// When it was over; nil where it is not.
    public var over: Instant?
    /// How much later than it was to be over; zero for on time.
    public var late: Interval
    /// What it is of, of all that the thing plays.
    public var part: Part?
    /// The device that was written to.
    public var device: UInt8?
    /// The client that was told.
    public var client: UInt32?

    /// One stage that took no time.
    public init(
      _ kind: LifeStage, over: Instant, late: Interval = .zero, part: Part? = nil, device: UInt8? = nil,
      client: UInt32? = nil
    ) {
      self.init(kind, begun: over, over: over, late: late, part: part, device: device, client: client)
    }

    /// One stage.
    public init(
      _ kind: LifeStage, begun: Instant, over: Instant?, late: Interval = .zero, part: Part? = nil,
      device: UInt8? = nil, client: UInt32? = nil
    ) {
      self.kind = kind
      self.begun = begun
      self.over = over
      self.late = max(late, .zero)
      self.part = part
      self.device = device
      self.client = client
    }
  }

  /// Who was late, by how much, in what.
  public struct Blame: Equatable, Sendable {
    /// A thread, an output or a client.
    public var culprit: Culprit
    /// By how much: of several times that the same one was, the longest.
    public var late: Interval
    /// The number of the haptic device; nil where it was none.
    public var device: UInt8?
    /// The number of the client; nil where it was none.
    public var client: UInt32?

    /// `culprit` was late by so much.
    public init(_ culprit: Culprit, _ late: Interval, device: UInt8? = nil, client: UInt32? = nil) {
      self.culprit = culprit
      self.late = late
      self.device = device
      self.client = client
    }
  }

  /// Who was late the most; nil for nobody.
  public var culprit: Blame? { blames.first }

  /// How late is late.
  public static var tolerance: Interval { .milliseconds(1) }

  /// How long after its stamp a tap may come before its client is late.
  public static var tapTolerance: Interval { .milliseconds(10) }
}
