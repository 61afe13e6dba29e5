// SPDX-License-Identifier: Apache-2.0

/// What a run is told, so that it can be judged again by other rules. Instants are the daemon's, in microseconds.
public enum RhythmStep: Sendable {
  /// It begins: its song is heard from `start` on.
  case began(Course, start: Int64)
  /// What fell due by then was asked for.
  case advanced(to: Int64)
  /// Nobody was listened to.
  case stalled(from: Int64, to: Int64)
  /// A tap stamped `at` was delivered at `now`, when what came up to `heard` was known: all of it where there is none.
  case tapped(at: Int64, lane: Int?, now: Int64, heard: Int64?)
  /// It stands from then on.
  case paused(at: Int64)
  /// It goes on then, that much before where it stands.
  case resumed(at: Int64, countIn: Int64)
}

extension RhythmRun {
  /// Tells it what another run was told after its beginning; what comes of it is in `session`.
  public mutating func follow(_ step: RhythmStep) {
    switch step {
    case .began: break
    case .advanced(let instant): _ = advance(to: instant)
    case .stalled(let from, let to): stall(from: from, to: to)
    // Refused or not: the next run may count what this one refused, and the other way round.
    case .tapped(let stamp, let lane, let now, let heard): _ = try? tap(at: stamp, lane: lane, now: now, heard: heard)
    case .paused(let instant): pause(at: instant)
    case .resumed(let instant, let countIn): resume(at: instant, countIn: countIn)
    }
  }
}
