// SPDX-License-Identifier: Apache-2.0

/// What the daemon tells of the chapter's runs; a run's number tells one from the next. Instants are the clock's.
public enum Telling: Equatable, Sendable {
  /// The reply to the chapter's start: what is told of other runs is not of this chapter.
  case started(run: Int64)
  /// A beat comes into sight at `atUs` and is heard at `beatUs`.
  case spawned(beat: Int, lane: Lane, atUs: Int64, beatUs: Int64, run: Int64)
  /// Nil is a tap in nobody's cell.
  case judged(ToldVerdict, beat: Int?, run: Int64)
  /// The windows are wider from here on.
  case helped(run: Int64)
  /// The run is over, by itself or because somebody stopped it.
  case ended(isStopped: Bool, run: Int64)

  /// The same so much later.
  func later(byUs: Int64) -> Telling {
    guard case .spawned(let beat, let lane, let us, let beatUs, let run) = self else { return self }
    return .spawned(beat: beat, lane: lane, atUs: us + byUs, beatUs: beatUs + byUs, run: run)
  }
}

/// How the daemon judged.
public enum ToldVerdict: String, Sendable {
  case hit, miss, ghost, void
}
