// SPDX-License-Identifier: Apache-2.0

/// What a tap came to, as far as it can be told at its delivery.
public enum TapVerdict: Equatable, Sendable {
  /// It claimed that beat; negative errors are early. Microseconds.
  case hit(beat: Int, error: Int64)
  /// It claimed nothing.
  case ghost
  /// It is stamped a little ahead of now and no cell holds it yet, but help might begin before its stamp: it is judged
  /// when the song reaches its stamp, and told by an action then.
  case held
}

/// A tap that was taken, with everything that fell due up to its delivery.
public struct TapOutcome: Equatable, Sendable {
  /// What the tap came to.
  public var verdict: TapVerdict
  /// To be told, in order of instants; the tap's own judgement or ghost is the last.
  public var actions: [RhythmAction]
}

/// Why a tap was refused. A refused tap changes nothing and costs nothing.
public enum TapError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Stamped further ahead of now than the tolerance; `ahead` in microseconds.
  case stampInFuture(ahead: Int64, tolerance: Int64)
  /// Stamped further before the chapter than a tap can be that was made for it (`RhythmRun.longestBefore`); `before` is
  /// how far before its beginning, in microseconds. It is in another unit or of another clock.
  case beforeChapter(before: Int64)
  /// Stamped inside a cell, or in a chapter, that is closed: its end and the grace are past. The beat that was meant,
  /// where there is one.
  case tooLate(beat: Int?)
  /// Stamped while the chapter stood still.
  case paused
  /// Stamped before more pauses than are remembered (`RunClock.mostStretches`).
  case longAgo
  /// The map has lanes and the tap names none.
  case missingLane
  /// The map has lanes, but not that one.
  case unknownLane(Int)
  /// The map has no lanes and the tap names one.
  case noLanes

  /// What is wrong, in words.
  public var reason: String {
    switch self {
    case .stampInFuture(let ahead, let tolerance):
      "the tap is stamped \(ahead) us ahead of now, more than the \(tolerance) us allowed"
    case .beforeChapter(let before):
      "the tap is stamped \(before) us before the chapter's beginning, more than the \(RhythmRun.longestBefore) us allowed"
    case .tooLate(.some(let beat)): "the tap is in time for beat \(beat) but came after that beat was settled"
    case .tooLate(nil): "the chapter is over"
    case .paused: "the chapter is paused"
    case .longAgo: "the tap is stamped before the \(RunClock.mostStretches)th last time the chapter was held"
    case .missingLane: "this chapter has lanes, and no lane is given"
    case .unknownLane(let lane): "this chapter has no lane number \(lane)"
    case .noLanes: "this chapter has no lanes, and a lane is given"
    }
  }

  /// What to do about it.
  public var remedy: String {
    switch self {
    case .stampInFuture(let ahead, _) where ahead < 1_000_000: "send a tap once it has happened, at its instant"
    case .stampInFuture, .beforeChapter:
      "stamp taps in microseconds of CLOCK_MONOTONIC, or give agoUs, the microseconds since the tap"
    case .tooLate(.some), .longAgo: "send taps as they happen"
    case .tooLate(nil): "start it again"
    case .paused: "let it go on first; taps count again after the count-in"
    case .missingLane: "give lane, the name of one of the chapter's lanes"
    case .unknownLane: "name one of the chapter's lanes"
    case .noLanes: "leave the lane out"
    }
  }

  /// The reason and the remedy.
  public var description: String { reason + "; " + remedy }
}
