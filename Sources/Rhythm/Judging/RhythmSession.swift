// SPDX-License-Identifier: Apache-2.0

import Partitioning

/// A chapter being judged: moments of its run and taps in, what is to be told out. Knows no clock.
///
/// Everything due at or before an instant is settled before a tap delivered at that instant is judged. Due at one
/// instant, misses come first (by index, the help right behind the miss that brings it), then held taps, and completion
/// last. Beats themselves are told by `BeatAnnouncer`.
public struct RhythmSession: Sendable {
  /// What is run.
  public let course: Course
  /// How far the song is: everything up to here, inclusive, is settled. Microseconds.
  public private(set) var position: Int64 = .min
  /// Whether the chapter is over.
  public private(set) var isComplete = false
  /// From when on there is help; nil before.
  public private(set) var assistedFrom: Int64?

  /// For each lane, the place of its first beat that is not settled.
  private var firstOpen: [Int]
  /// Whether a beat was claimed, or takes no part.
  private var isTaken: [Bool]
  /// In ascending order: whoever asks how a chapter of thousands of hits stands waits for no sorting.
  private var hitErrors: [Int64] = []
  private var tally = RunTally()
  private var longestCombo = 0
  private var grades: [Int]
  private var voided = 0
  private var ghosts = 0
  /// Those that may still make a beat void, in order.
  private var stalls: [ClosedRange<Int64>] = []
  /// In order of their stamps.
  private var held: [HeldTap] = []

  private struct HeldTap {
    var stamp: Int64
    var lane: Int?
  }

  /// A run that has not begun. Nothing is due before its first `advance`.
  public init(_ course: Course) {
    self.course = course
    firstOpen = [Int](repeating: 0, count: course.layout.lanes.count)
    isTaken = course.takesPart.map { !$0 }
    grades = [Int](repeating: 0, count: course.rules.grades.count)
    for lane in firstOpen.indices { skipTaken(inLane: lane) }
  }

  private var map: BeatMap { course.map }
  private var rules: RhythmRules { course.rules }
  private var layout: CellLayout { course.layout }

  /// How the chapter stands.
  public var summary: RhythmSummary {
    RhythmSummary(
      beats: course.beatCount, hits: tally.hits, misses: tally.misses, voided: voided, ghosts: ghosts,
      combo: tally.combo, longestCombo: longestCombo, grades: grades, assistedFrom: assistedFrom,
      errors: TapStatistics(ordered: hitErrors))
  }

  /// The instants that belong to a beat, as things stand.
  public func cell(of beat: Int) -> Cell? {
    map.beats.indices.contains(beat) ? layout.cell(of: beat, assistedFrom: assistedFrom) : nil
  }

  /// Whether a beat is still to be judged.
  public func isPending(_ beat: Int) -> Bool {
    guard !isTaken[beat] else { return false }
    let lane = course.beats[beat].lane ?? 0
    let place = firstOpen[lane]
    return place < layout.lanes[lane].count && beat >= layout.lanes[lane][place]
  }

  /// The next instant at which `advance` has something to tell; nil once the chapter is over.
  public var nextDeadline: Int64? { isComplete ? nil : dueNext().at }

  /// Whether a stall was told that the song has not been brought through: taps are kept until it is.
  public var isCatchingUp: Bool { stalls.last.map { position < $0.upperBound } ?? false }

  /// Nobody was listened to from song position `from` to `to`, microseconds, both included.
  ///
  /// Tell it before the taps that waited meanwhile: until `advance` brings the song to `to` they are kept, and then
  /// judged each at its own stamp, among the misses. A beat whose whole cell lies inside and that no tap claims is void.
  public mutating func stall(from: Int64, to: Int64) {
    guard !isComplete, from <= to, to > position else { return }
    let (now, grace) = (position, rules.grace)
    stalls.removeAll { $0.upperBound < now && now - $0.upperBound > grace }
    stalls.append(from...to)
  }

  /// Lets the song run to `instant`: everything due up to and including it, in order. Never runs backwards.
  public mutating func advance(to instant: Int64) -> [RhythmAction] {
    var actions: [RhythmAction] = []
    while !isComplete {
      let due = dueNext()
      guard due.at <= instant else { break }
      settle(due.event, of: due.beat, at: due.at, into: &actions)
    }
    position = max(position, instant)
    return actions
  }

  /// Judges a tap at its own stamp, delivered when the song is at `now`. Taps that came up to song position `heard` are
  /// known, those behind it may still wait to be read; `now` where nothing is given.
  ///
  /// A tap claims the beat whose cell holds its stamp; of several in one cell the first delivered has it. Nothing else
  /// about the order or the delay of deliveries matters, up to one grace after the cell's end. What fell due behind
  /// `heard` is settled by an `advance` to come: a tap stamped before it is judged at once, as of its stamp, and one
  /// stamped after it is held. If this throws, the session is as it was, and what fell due meanwhile is told by the next
  /// `advance`.
  public mutating func tap(at stamp: Int64, lane: Int?, now: Int64, heard: Int64? = nil) throws(TapError) -> TapOutcome
  {
    let laneIndex = try index(ofLane: lane)
    var now = max(now, position)
    let (ahead, overflow) = stamp.subtractingReportingOverflow(now)
    if stamp > now, overflow || ahead > rules.futureTolerance {
      throw .stampInFuture(ahead: overflow ? .max : ahead, tolerance: rules.futureTolerance)
    }
    if isCatchingUp, stamp > position {
      hold(stamp, lane)
      return TapOutcome(verdict: .held, actions: [])
    }
    // What came in during a stall is judged where the song stood when it began.
    if isCatchingUp { now = position }
    let settledTo = min(now, heard ?? now)
    return try settled(by: settledTo) { (session) throws(TapError) in
      let due = session.dueNext().at
      if due <= now, stamp >= due {
        session.hold(stamp, lane)
        return TapOutcome(verdict: .held, actions: [])
      }
      let now = due <= now ? max(session.position, stamp) : now
      let owner = session.layout.owner(of: stamp, lane: laneIndex, assistedFrom: session.assistedFrom)
      if let owner, session.course.takesPart[owner], session.declaration(of: owner) <= settledTo {
        throw .tooLate(beat: owner)
      }
      if owner == nil, stamp > now, session.rules.assist != nil, session.assistedFrom == nil {
        session.hold(stamp, lane)
        return TapOutcome(verdict: .held, actions: [])
      }
      let (verdict, action) = session.judge(stamp: stamp, lane: lane, owner: owner, at: now)
      session.position = max(session.position, now)
      return TapOutcome(verdict: verdict, actions: [action])
    }
  }

  /// Takes a tap that no beat can be claimed by, delivered when the song is at `now`; `heard` as for `tap`. If this throws, the
  /// session is as it was.
  public mutating func ghost(lane: Int?, now: Int64, heard: Int64? = nil) throws(TapError) -> TapOutcome {
    _ = try index(ofLane: lane)
    let now = isCatchingUp ? position : max(now, position)
    return try settled(by: min(now, heard ?? now)) { session in
      let now = min(now, session.dueNext().at)
      let action = session.judge(stamp: now, lane: lane, owner: nil, at: now).action
      session.position = max(session.position, now)
      return TapOutcome(verdict: .ghost, actions: [action])
    }
  }

  /// Judges by `body`, which throws before it changes anything, once everything due by `now` is settled. If it throws, the
  /// session is as it was: what was due is settled in a copy, which costs as much as there are beats, and only then.
  private mutating func settled(
    by now: Int64, _ body: (inout RhythmSession) throws(TapError) -> TapOutcome
  ) throws(TapError) -> TapOutcome {
    if isComplete { throw .tooLate(beat: nil) }
    guard dueNext().at <= now else {
      let outcome = try body(&self)
      position = max(position, now)
      return outcome
    }
    var next = self
    let actions = next.advance(to: now)
    if next.isComplete { throw .tooLate(beat: nil) }
    var outcome = try body(&next)
    outcome.actions.insert(contentsOf: actions, at: 0)
    self = next
    return outcome
  }

  // MARK: - What is due

  /// In the order in which they are settled at one instant.
  private enum Event: Int {
    case miss, heldTap, completion
  }

  private func dueNext() -> (at: Int64, event: Event, beat: Int) {
    var due = (at: course.end, event: Event.completion, beat: 0)
    func consider(_ at: Int64, _ event: Event, _ beat: Int) {
      if (at, event.rawValue, beat) < (due.at, due.event.rawValue, due.beat) { due = (at, event, beat) }
    }
    for (lane, place) in firstOpen.enumerated() where place < layout.lanes[lane].count {
      let beat = layout.lanes[lane][place]
      consider(declaration(of: beat), .miss, beat)
    }
    if let tap = held.first { consider(tap.stamp, .heldTap, 0) }
    return due
  }

  private func declaration(of beat: Int) -> Int64 {
    layout.cell(of: beat, assistedFrom: assistedFrom).end + rules.grace
  }

  // MARK: - Settling

  private mutating func settle(_ event: Event, of beat: Int, at instant: Int64, into actions: inout [RhythmAction]) {
    switch event {
    case .miss: declareMiss(of: beat, at: instant, into: &actions)
    case .heldTap: judgeFirstHeld(at: instant, into: &actions)
    case .completion:
      // Those stamped beyond the end were promised a verdict too.
      while !held.isEmpty { judgeFirstHeld(at: instant, into: &actions) }
      isComplete = true
      actions.append(.complete(summary, at: instant))
    }
  }

  /// In order of stamps; those of one stamp in order of delivery.
  private mutating func hold(_ stamp: Int64, _ lane: Int?) {
    let place = held.lastIndex { $0.stamp <= stamp }.map { $0 + 1 } ?? 0
    held.insert(HeldTap(stamp: stamp, lane: lane), at: place)
  }

  private mutating func judgeFirstHeld(at instant: Int64, into actions: inout [RhythmAction]) {
    let tap = held.removeFirst()
    let owner = layout.owner(of: tap.stamp, lane: tap.lane ?? 0, assistedFrom: assistedFrom)
    actions.append(judge(stamp: tap.stamp, lane: tap.lane, owner: owner, at: instant).action)
  }

  /// A beat's time is over: missed, or void where nobody could have tapped it.
  private mutating func declareMiss(of beat: Int, at instant: Int64, into actions: inout [RhythmAction]) {
    let cell = layout.cell(of: beat, assistedFrom: assistedFrom)
    let isVoid = stalls.contains { $0.contains(cell.start) && $0.contains(cell.end) }
    if isVoid {
      voided += 1
    } else {
      tally.misses += 1
      tally.combo = 0
    }
    let judgement = Judgement(
      index: beat, beat: course.beats[beat], verdict: isVoid ? .void : .miss, stampedAt: cell.end,
      declaredAt: instant, tally: tally)
    actions.append(.judgement(judgement))
    let lane = course.beats[beat].lane ?? 0
    firstOpen[lane] += 1
    skipTaken(inLane: lane)
    if !isVoid, let assist = rules.assist, tally.misses == assist.misses {
      assistedFrom = instant
      let first = course.beats.indices.first {
        course.takesPart[$0] && layout.beats[$0].at - rules.window > instant
      }
      actions.append(.assist(AssistBegun(at: instant, window: assist.window, firstBeat: first)))
    }
  }

  private mutating func judge(
    stamp: Int64, lane: Int?, owner: Int?, at instant: Int64
  ) -> (verdict: TapVerdict, action: RhythmAction) {
    guard let owner, !isTaken[owner] else {
      ghosts += 1
      return (.ghost, .ghost(GhostTap(lane: lane, stampedAt: stamp, declaredAt: instant, tally: tally)))
    }
    let beat = course.beats[owner]
    let error = stamp - layout.beats[owner].at
    isTaken[owner] = true
    hitErrors.insert(error, at: hitErrors.partitioningIndex { $0 > error })
    tally.hits += 1
    tally.combo += 1
    longestCombo = max(longestCombo, tally.combo)
    let grade = rules.grades.firstIndex { abs(error) <= $0.window }
    if let grade { grades[grade] += 1 }
    skipTaken(inLane: beat.lane ?? 0)
    let judgement = Judgement(
      index: owner, beat: beat, verdict: .hit(error: error), stampedAt: stamp, declaredAt: instant, grade: grade,
      tally: tally)
    return (.hit(beat: owner, error: error), .judgement(judgement))
  }

  /// Moves a lane's first open beat past those that are hit or take no part: only one that may still be missed has a
  /// deadline.
  private mutating func skipTaken(inLane lane: Int) {
    while firstOpen[lane] < layout.lanes[lane].count, isTaken[layout.lanes[lane][firstOpen[lane]]] {
      firstOpen[lane] += 1
    }
  }

  private func index(ofLane lane: Int?) throws(TapError) -> Int {
    guard let lane else {
      if map.isLaned { throw .missingLane }
      return 0
    }
    guard map.isLaned else { throw .noLanes }
    guard map.lanes.indices.contains(lane) else { throw .unknownLane(lane) }
    return lane
  }
}
