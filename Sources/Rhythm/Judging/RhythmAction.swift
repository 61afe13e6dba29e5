// SPDX-License-Identifier: Apache-2.0

/// What a session asks its host to tell. Every instant is a moment of the run in whole microseconds, as `RhythmRun` tells
/// it one of the daemon's clock.
public enum RhythmAction: Equatable, Sendable {
  /// A beat was hit or missed.
  case judgement(Judgement)
  /// A tap that claimed no beat; it costs nothing.
  case ghost(GhostTap)
  /// The windows of later beats are wider from now on.
  case assist(AssistBegun)
  /// The chapter is over; nothing follows.
  case complete(RhythmSummary, at: Int64)
}

/// What became of one beat.
public struct Judgement: Equatable, Sendable {
  /// Index of the beat in its map.
  public var index: Int
  /// The beat itself, by the song's time and its lane, as the map has it.
  public var beat: Beat
  /// What it came to.
  public var verdict: BeatVerdict
  /// The tap's own stamp for a hit, the last instant of the cell for a miss or a void.
  public var stampedAt: Int64
  /// When it was decided: the tap's delivery for a hit, one grace after the cell's end for a miss or a void.
  public var declaredAt: Int64
  /// The best of the chapter's grades that a hit earned, by its index; nil for one that earned none.
  public var grade: Int?
  /// How the run stands, this judgement included.
  public var tally: RunTally
}

/// A tap that claimed nothing: in no cell, or in that of a beat already hit.
public struct GhostTap: Equatable, Sendable {
  /// The lane tapped in; nil on a map without lanes.
  public var lane: Int?
  /// The tap's own stamp.
  public var stampedAt: Int64
  /// When it was decided.
  public var declaredAt: Int64
  /// How the run stands: a ghost changes nothing of it.
  public var tally: RunTally
}

/// The help began.
public struct AssistBegun: Equatable, Sendable {
  /// From when on: the declaration of the miss that brought it.
  public var at: Int64
  /// Half-width of the windows of the beats it reaches.
  public var window: Int64
  /// Index of the first beat it reaches; nil when it came too late for any.
  public var firstBeat: Int?
}
