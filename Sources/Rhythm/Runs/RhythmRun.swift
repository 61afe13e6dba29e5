// SPDX-License-Identifier: Apache-2.0

/// One run of a chapter by the daemon's clock: instants in, what is to be told out, through pauses.
///
/// Joins the session, which judges, the announcer, which tells ahead, and the clock of the run. Every instant is a whole
/// microsecond of the daemon's clock, those of what it answers too.
public struct RhythmRun: Sendable {
  /// How far before both its delivery and the run's beginning a tap may be stamped, in microseconds. What a player does while
  /// a chapter is being started lies within; a stamp in seconds or milliseconds does not, but for a chapter that begins within
  /// some ten seconds of the clock's zero.
  public static let longestBefore: Int64 = 10_000_000

  /// What is run.
  public let course: Course
  /// How it is judged so far; its times are moments of the run.
  public private(set) var session: RhythmSession
  /// Which instant is which moment.
  public private(set) var clock: RunClock
  /// The instant of moment 0 before any pause.
  private let beginning: Int64
  private var announcer: BeatAnnouncer
  /// The latest instant that a tap which was taken is stamped with, up to the tolerance ahead of when it came; nil before any.
  public private(set) var latestTap: Int64?
  /// Told all that it is told, where that is to be judged again.
  private let witness: (@Sendable (RhythmStep) -> Void)?

  /// A run whose song is heard from `start` on.
  public init(_ course: Course, start: Int64, witness: (@Sendable (RhythmStep) -> Void)? = nil) {
    self.witness = witness
    witness?(.began(course, start: start))
    self.course = course
    session = RhythmSession(course)
    announcer = BeatAnnouncer(course)
    clock = RunClock(zero: start)
    beginning = start
  }

  /// Whether it stands still, or is about to.
  public var isPaused: Bool { clock.pausedFrom != nil }

  /// The instant at which it is over, as things stand; nil while it stands still.
  public var end: Int64? { isPaused ? nil : clock.zero + course.end }

  /// Where the song is at `instant`, in song time.
  public func songPosition(at instant: Int64) -> Int64 { course.songPosition(at: clock.heardMoment(at: instant)) }

  /// Everything that fell due by `now`, in order.
  public mutating func advance(to now: Int64) -> [RhythmAction] {
    witness?(.advanced(to: now))
    return session.advance(to: clock.moment(at: now)).map { $0.told(by: clock) }
  }

  /// When `advance` has something to tell; nil while that is not known, or never.
  public var nextDeadline: Int64? { session.nextDeadline.flatMap(clock.coming) }

  /// What is to be told of beats up to and including `instant`; nothing of beats that were heard before `oldest`.
  public mutating func announce(upTo instant: Int64, oldest: Int64) -> [BeatAnnouncer.Announcement] {
    announcer.announce(upTo: clock.moment(at: instant), oldest: clock.moment(at: oldest)).map { $0.told(by: clock) }
  }

  /// When the next beat or spawn is to be told; nil while it stands still before it.
  public var nextAnnouncement: Int64? { announcer.nextDeadline.flatMap(clock.coming) }

  /// Beats that are in sight at `instant` and not judged yet, the next first, each with when it is heard; `most` of them.
  public func beatsInSight(at instant: Int64, most: Int) -> [(index: Int, at: Int64)] {
    // In a count-in what was in sight at the pause is so still.
    let reached = max(clock.heardMoment(at: instant), clock.moment(at: instant))
    let horizon = reached + course.rules.spawnLead
    return course.beats.indices.lazy.filter { session.isPending($0) && course.beats[$0].at <= horizon }
      .prefix(most).map { ($0, clock.zero + course.beats[$0].at) }
  }

  /// Nobody was listened to from `from` to `to`, both included.
  public mutating func stall(from: Int64, to: Int64) {
    witness?(.stalled(from: from, to: to))
    // What a pause or a count-in brings for the second time was not lost.
    let first = if case .moment(let moment) = clock.place(of: from) { moment } else { clock.moment(at: from) + 1 }
    session.stall(from: first, to: clock.moment(at: to))
  }

  /// Judges a tap stamped `stamp`, delivered at `now`, where taps that came after `heard` may still wait to be read. What is
  /// stamped in a pause is refused; in a count-in it is a ghost, whatever beat is near.
  public mutating func tap(at stamp: Int64, lane: Int?, now: Int64, heard: Int64? = nil) throws(TapError) -> TapOutcome
  {
    witness?(.tapped(at: stamp, lane: lane, now: now, heard: heard))
    let (ahead, overflow) = stamp.subtractingReportingOverflow(now)
    if stamp > now, overflow || ahead > course.rules.futureTolerance {
      throw .stampInFuture(ahead: overflow ? .max : ahead, tolerance: course.rules.futureTolerance)
    }
    let earliest = min(beginning, now).subtractingReportingOverflow(Self.longestBefore)
    if !earliest.overflow, stamp < earliest.partialValue {
      let (before, overflow) = beginning.subtractingReportingOverflow(stamp)
      throw .beforeChapter(before: overflow ? .max : before)
    }
    let moment = clock.moment(at: now)
    let heard = heard.map(clock.moment)
    var outcome: TapOutcome
    switch clock.place(of: stamp) {
    case .paused: throw session.isComplete ? .tooLate(beat: nil) : .paused
    case .forgotten: throw session.isComplete ? .tooLate(beat: nil) : .longAgo
    case .countIn: outcome = try session.ghost(lane: lane, now: moment, heard: heard)
    case .moment(let tapped): outcome = try session.tap(at: tapped, lane: lane, now: moment, heard: heard)
    }
    latestTap = max(latestTap ?? stamp, stamp)
    let last = outcome.actions.count - 1
    for index in outcome.actions.indices {
      outcome.actions[index] = outcome.actions[index].told(by: clock)
      // The tap's own, which is the last, keeps its stamp.
      if index == last, outcome.verdict != .held { outcome.actions[index].restamp(stamp) }
    }
    return outcome
  }

  /// Stands still from `instant` on: what is heard and judged before it stays, what was announced from it on is to be
  /// recalled, and is announced anew when it has moved. `instant` is after what `advance` was told.
  public mutating func pause(at instant: Int64) {
    witness?(.paused(at: instant))
    clock.pause(at: instant)
    announcer.rewind(to: clock.moment(at: instant) + 1)
  }

  /// Goes on at `instant`, `countIn` microseconds before the moment at which it stands; answers by how much all that is to
  /// come has moved.
  @discardableResult
  public mutating func resume(at instant: Int64, countIn: Int64) -> Int64 {
    witness?(.resumed(at: instant, countIn: countIn))
    return clock.resume(at: instant, countIn: countIn)
  }
}

extension RhythmAction {
  /// The same with moments told as instants.
  fileprivate func told(by clock: RunClock) -> RhythmAction {
    switch self {
    case .judgement(var judgement):
      judgement.stampedAt = clock.instant(of: judgement.stampedAt)
      judgement.declaredAt = clock.instant(of: judgement.declaredAt)
      judgement.beat.at = clock.instant(of: judgement.beat.at)
      return .judgement(judgement)
    case .ghost(var ghost):
      ghost.stampedAt = clock.instant(of: ghost.stampedAt)
      ghost.declaredAt = clock.instant(of: ghost.declaredAt)
      return .ghost(ghost)
    case .assist(var assist):
      assist.at = clock.instant(of: assist.at)
      return .assist(assist)
    case .complete(let summary, let at): return .complete(summary, at: clock.instant(of: at))
    }
  }

  fileprivate mutating func restamp(_ stamp: Int64) {
    switch self {
    case .judgement(var judgement):
      judgement.stampedAt = stamp
      self = .judgement(judgement)
    case .ghost(var ghost):
      ghost.stampedAt = stamp
      self = .ghost(ghost)
    case .assist, .complete: break
    }
  }
}

extension BeatAnnouncer.Announcement {
  /// The same with moments told as instants.
  fileprivate func told(by clock: RunClock) -> Self {
    switch self {
    case .spawn(let moment): .spawn(moment.told(by: clock))
    case .beat(let moment): .beat(moment.told(by: clock))
    }
  }
}

extension BeatMoment {
  fileprivate func told(by clock: RunClock) -> BeatMoment {
    var told = self
    told.at = clock.instant(of: at)
    told.beat.at = clock.instant(of: beat.at)
    return told
  }
}
