// SPDX-License-Identifier: Apache-2.0

import Wire

/// One run of a chapter, held against what its pack says.
struct ChapterLedger {
  /// A time in which the run goes on, as was told.
  private struct Stretch {
    /// The instant from which the song is heard.
    var fromUs: Int64
    /// The instant of the run's beginning, as all in it is counted from.
    var startUs: Int64
    /// The instant from which it is not for the second time.
    var goesOnUs: Int64
    /// The instant from which it stands still.
    var pausedUs: Int64 = .max
  }

  private let spawnLeadUs: Int64
  private let windowUs: Int64
  let known: SimulatedPack.Chapter
  /// When each beat is heard, since the run began.
  let beats: [Int64]
  /// Those that take part.
  private let parts: Set<Int>
  private let grades: [GradeWindow]
  private var stretches: [Stretch]
  private(set) var spawned: Set<Int> = []
  private var beaten: Set<Int> = []
  private var hits: Set<Int> = []
  private var misses: Set<Int> = []
  private var voided: Set<Int> = []
  private var earned: [String: Int] = [:]
  private var combo = 0
  private var longestCombo = 0
  private var stalls: [ClosedRange<Int64>] = []
  /// When it ends, since it began.
  private let endUs: Int64
  /// When it was over.
  private(set) var overUs: Int64?

  /// How much later than it is heard a beat is to be tapped.
  private let offsetUs: Int64

  var isOver: Bool { overUs != nil }
  /// When the song began, as things stand.
  var startUs: Int64 { last.startUs }

  /// When the song begins, or began first; nil where the run was over or held before.
  var songUs: Int64? {
    guard let begun = stretches.first(where: { $0.startUs < $0.pausedUs })?.startUs else { return nil }
    return begun < overUs ?? .max ? begun : nil
  }

  private var last: Stretch { stretches[stretches.count - 1] }

  init(_ result: RhythmStart.Result, _ known: SimulatedPack.Chapter) throws {
    self.known = known
    (spawnLeadUs, windowUs, grades) = (result.spawnLeadUs, result.windowUs, result.grades)
    beats = known.beats.map { playerTime($0 - result.positionUs, rate: result.rate) }
    let (window, offset) = (result.windowUs, result.judgingOffsetUs)
    offsetUs = offset
    let (all, lanes) = (beats, known.laneOfBeat)
    parts = Set(
      all.indices.filter { beat in
        let before = all.indices.last { $0 < beat && lanes[$0] == lanes[beat] }
        // The middle belongs to the earlier.
        let opens = max(all[beat] - window, before.map { (all[$0] + all[beat]).floorHalf + 1 } ?? .min)
        return result.positionUs == 0 || all[beat] >= 0 && opens + offset >= 0
      })
    stretches = [Stretch(fromUs: .min, startUs: result.startUs, goesOnUs: .min)]
    try ensure(result.beats == parts.count, "\(result.beats) beats were promised of \(parts.count)")
    try ensure(result.lanes == known.lanes, "lanes \(result.lanes) were promised of \(known.lanes)")
    endUs = result.endUs - result.startUs
    let length = playerTime(known.lengthUs - result.positionUs, rate: result.rate)
    let latest = (beats.max() ?? 0) + offset + Self.widestWindow + Self.longestGrace
    try ensure(
      endUs == length || endUs > length && endUs <= latest,
      "a run from \(result.positionUs) at \(result.rate) of \(known.lengthUs) ends at \(result.endUs)")
  }

  /// When each beat is heard, as things stand.
  var beatInstants: [Int64] { beats.map { last.startUs + $0 } }
  var lanes: [String] { known.lanes }

  /// What is told of an instant: in which stretch it is, which stands still in none.
  private func stretch(at instant: Int64, _ what: String) throws -> Stretch {
    let stretch = stretches.last { $0.fromUs <= instant } ?? stretches[0]
    try ensure(instant < stretch.pausedUs, "\(what) at \(instant), in the pause from \(stretch.pausedUs) on")
    try ensure(instant >= stretch.goesOnUs, "\(what) at \(instant), in the count-in up to \(stretch.goesOnUs)")
    return stretch
  }

  /// What was told of the run, with its instants on the clock: what is to come of it lies as far behind its beginning as ever,
  /// however often the engine stood in between.
  func checkClock(start: Int64, end: Int64?, paused: Int64?, _ told: @autoclosure () -> String) throws {
    if let end { return try ensure(end - start == endUs, "a run of \(endUs) us is told to begin and end as \(told())") }
    // That it is held is answered before it is told.
    guard let paused, last.pausedUs != .max else { return }
    try ensure(
      paused - start == last.pausedUs - last.startUs,
      "a run that is held \(last.pausedUs - last.startUs) us behind its beginning is told as \(told())")
  }

  mutating func hear(_ changed: RhythmChanged, at tUs: Int64, _ time: GameTime) throws {
    try ensure(!isOver, "\(changed.change) after the chapter's end")
    switch changed.change {
    case .paused:
      try ensure(last.pausedUs == .max, "paused twice")
      stretches[stretches.count - 1].pausedUs = tUs
    case .resumed:
      let paused = last.pausedUs
      try ensure(paused != .max && tUs >= paused, "resumed at \(tUs), paused at \(paused)")
      let goesOn = changed.goesOnUs ?? .min
      try ensure(goesOn >= tUs, "resumed at \(tUs) to go on at \(goesOn)")
      // On the clock, of which the pauses of the engine in the hold are a part.
      let stood = time.behind(changed.endUs ?? paused) - time.behind(paused)
      try ensure(
        changed.movedUs == changed.startUs - last.startUs + stood, "moved by \(changed.movedUs ?? 0): \(changed)")
      // What was still a count-in is one again.
      try ensure(
        goesOn - changed.startUs == max(paused, last.goesOnUs) - last.startUs,
        "paused at \(paused), goes on at \(goesOn): \(changed)")
      stretches.append(Stretch(fromUs: tUs, startUs: changed.startUs, goesOnUs: goesOn))
    case .started, .restarted, .unattended, .takenOver: break
    }
    try ensure(changed.startUs == last.startUs, "\(changed.change) of a run from \(last.startUs): \(changed)")
    try ensure(
      changed.pausedUs ?? .max == last.pausedUs, "\(changed.change) of a run held at \(last.pausedUs): \(changed)")
  }

  /// It gave way to another run.
  mutating func end(at tUs: Int64) { overUs = tUs }

  mutating func hear(_ spawn: RhythmSpawn, at tUs: Int64, nowUs: Int64) throws {
    guard !isOver else { throw SimulationFailure("beat \(spawn.beat) spawned after the chapter's end") }
    try checkBeat(spawn.beat, spawn.lane)
    try ensure(spawned.insert(spawn.beat).inserted, "beat \(spawn.beat) spawned twice")
    let start = try stretch(at: tUs, "beat \(spawn.beat) spawned").startUs
    try ensure(spawn.beatUs == start + beats[spawn.beat], "beat \(spawn.beat) was announced for \(spawn.beatUs)")
    try ensure(tUs == spawn.beatUs - spawnLeadUs, "beat \(spawn.beat) spawned at \(tUs)")
  }

  mutating func hear(_ beat: RhythmBeat, at tUs: Int64) throws {
    guard !isOver else { throw SimulationFailure("beat \(beat.beat) was told after the chapter's end") }
    try checkBeat(beat.beat, beat.lane)
    try ensure(beaten.insert(beat.beat).inserted, "beat \(beat.beat) was told twice")
    try ensure(spawned.contains(beat.beat), "beat \(beat.beat) was told before it spawned")
    let start = try stretch(at: tUs, "beat \(beat.beat) was told").startUs
    try ensure(tUs == start + beats[beat.beat], "beat \(beat.beat) was told at \(tUs)")
    let late = stalls.first { $0.contains(tUs) && $0.upperBound - tUs > Self.oldestBeat }
    try ensure(late == nil, "beat \(beat.beat) of \(tUs) was told after a standstill until \(late?.upperBound ?? 0)")
  }

  mutating func hear(_ judgement: RhythmJudgement, at tUs: Int64) throws {
    try ensure(!isOver, "a judgement after the chapter's end")
    guard let beat = judgement.beat else {
      try ensure(judgement.verdict == .ghost, "\(judgement) of no beat")
      return try checkTally(judgement)
    }
    try checkBeat(beat, judgement.lane)
    try ensure(
      !hits.contains(beat) && !misses.contains(beat) && !voided.contains(beat), "beat \(beat) was judged twice")
    let stretch = try stretch(at: tUs, "beat \(beat) was \(judgement.verdict)")
    let at = stretch.startUs + beats[beat] + offsetUs
    switch judgement.verdict {
    case .hit:
      hits.insert(beat)
      combo += 1
      longestCombo = max(longestCombo, combo)
      try ensure(
        judgement.errorUs == tUs - at, "beat \(beat) hit at \(tUs) with an error of \(tUs - at): told \(judgement)")
      let grade = grades.first { abs(tUs - at) <= $0.windowUs }?.grade
      try ensure(
        judgement.grade == grade, "beat \(beat) hit by \(tUs - at) earns \(grade ?? "nothing"): told \(judgement)")
      if let grade { earned[grade, default: 0] += 1 }
    case .miss:
      misses.insert(beat)
      combo = 0
      try ensure(!nobodyCouldTap(beat), "beat \(beat) was missed while the daemon stood still: \(stalls)")
    case .void:
      voided.insert(beat)
      try ensure(stalls.contains { $0.contains(at) }, "beat \(beat) is void at \(at), no stall: \(stalls)")
    case .ghost: throw SimulationFailure("a ghost of beat \(beat)")
    }
    try checkTally(judgement)
  }

  private func checkTally(_ judgement: RhythmJudgement) throws {
    try ensure(judgement.misses == misses.count, "\(misses.count) misses, told \(judgement.misses)")
    try ensure(judgement.combo == combo, "a combo of \(combo), told \(judgement.combo)")
    let judged = hits.count + misses.count
    try ensure(
      judgement.accuracy == (judged == 0 ? nil : Double(hits.count) / Double(judged)),
      "\(hits.count) of \(judged), told \(judgement.accuracy ?? -1)")
  }

  mutating func hear(_ complete: RhythmComplete, at tUs: Int64) throws {
    try ensure(!isOver, "a chapter ended twice")
    overUs = tUs
    let score = complete.score
    try ensure(
      score.hits + score.misses + score.voided + score.remaining == parts.count, "\(score) of \(parts.count) beats")
    try ensure(
      score.hits == hits.count && score.misses == misses.count && score.voided == voided.count,
      "\(hits.count) and \(misses.count) told, \(score)")
    try ensure(
      score.longestCombo == longestCombo && score.combo == combo
        && score.grades == grades.map { GradeCount(grade: $0.grade, hits: earned[$0.grade] ?? 0) },
      "a combo of \(longestCombo), \(earned) told, \(score)")
    guard !complete.stopped else { return }
    try ensure(last.pausedUs == .max, "a chapter ended by itself in a pause")
    try ensure(tUs == last.startUs + endUs, "a chapter ended at \(tUs), promised for \(last.startUs + endUs)")
    try ensure(score.remaining == 0, "complete with \(score)")
    let untold = parts.filter { beat in
      !beaten.contains(beat) && !stretches.contains { isInStall($0.startUs + beats[beat]) }
    }
    try ensure(untold.isEmpty, "complete with \(beaten.count) beats told of \(parts.count)")
  }

  mutating func note(_ stall: ClosedRange<Int64>) { stalls.append(stall) }

  private func isInStall(_ instant: Int64) -> Bool { stalls.contains { $0.contains(instant) } }

  /// Whether the widest cell that the beat can have lay in a stall, and in no pause.
  private func nobodyCouldTap(_ beat: Int) -> Bool {
    let lane = known.beats.indices.filter { known.laneOfBeat[$0] == known.laneOfBeat[beat] }
    let at = beats[beat] + offsetUs
    let before = lane.last { $0 < beat }.map { (beats[$0] + offsetUs + at) / 2 } ?? .min
    let after = lane.first { $0 > beat }.map { (beats[$0] + offsetUs + at) / 2 } ?? .max
    return stretches.contains { stretch in
      let first = max(at - Self.widestWindow, before) + stretch.startUs
      let last = min(at + Self.widestWindow, after) + stretch.startUs
      guard first >= stretch.goesOnUs, last < stretch.pausedUs else { return false }
      return stalls.contains { $0.contains(first) && $0.contains(last) }
    }
  }

  /// With help, in a simulated pack.
  private static let widestWindow: Int64 = 700_000
  private static let longestGrace: Int64 = 80_000
  /// How long ago a beat may have been heard that is told.
  private static let oldestBeat: Int64 = 100_000

  private func checkBeat(_ beat: Int, _ lane: String?) throws {
    try ensure(known.beats.indices.contains(beat), "there is no beat \(beat)")
    try ensure(parts.contains(beat), "beat \(beat) takes no part")
    try ensure(
      lane == (known.lanes.isEmpty ? nil : known.lanes[known.laneOfBeat[beat]]),
      "beat \(beat) in lane \(lane ?? "none")")
  }
}

/// The nearest microsecond to so much of a song at a rate; of two the later.
func playerTime(_ songTime: Int64, rate: Double) -> Int64 {
  let millionths = Int64((rate * 1e6).rounded())
  let near = songTime * 1_000_000 / millionths
  return (near - 2...near + 2).reversed().min {
    abs($0 * millionths - songTime * 1_000_000) < abs($1 * millionths - songTime * 1_000_000)
  } ?? near
}

extension Int64 {
  /// Half of it, rounded down.
  fileprivate var floorHalf: Int64 { self >> 1 }
}
