// SPDX-License-Identifier: Apache-2.0

import Wire

/// One play of a chapter, held against what its pack says.
struct ChapterLedger {
  private let startUs: Int64
  private let spawnLeadUs: Int64
  private let known: SimulatedPack.Chapter
  private var spawned: Set<Int> = []
  private var beaten: Set<Int> = []
  private var hits: Set<Int> = []
  private var misses: Set<Int> = []
  private var voided: Set<Int> = []
  private var stalls: [ClosedRange<Int64>] = []
  private(set) var isOver = false

  init(_ result: RhythmStart.Result, _ known: SimulatedPack.Chapter) throws {
    self.known = known
    startUs = result.startUs
    spawnLeadUs = result.spawnLeadUs
    try ensure(result.beats == known.beats.count, "\(result.beats) beats were promised of \(known.beats.count)")
    try ensure(result.lanes == known.lanes, "lanes \(result.lanes) were promised of \(known.lanes)")
  }

  /// When each beat is heard.
  var beatInstants: [Int64] { known.beats.map { startUs + $0 } }
  var lanes: [String] { known.lanes }

  mutating func hear(_ spawn: RhythmSpawn, at tUs: Int64, nowUs: Int64) throws {
    guard !isOver else { throw SimulationFailure("beat \(spawn.beat) spawned after the chapter's end") }
    try checkBeat(spawn.beat, spawn.lane)
    try ensure(spawned.insert(spawn.beat).inserted, "beat \(spawn.beat) spawned twice")
    try ensure(
      spawn.beatUs == startUs + known.beats[spawn.beat], "beat \(spawn.beat) was announced for \(spawn.beatUs)")
    try ensure(tUs == spawn.beatUs - spawnLeadUs, "beat \(spawn.beat) spawned at \(tUs)")
  }

  mutating func hear(_ beat: RhythmBeat, at tUs: Int64) throws {
    guard !isOver else { throw SimulationFailure("beat \(beat.beat) was told after the chapter's end") }
    try checkBeat(beat.beat, beat.lane)
    try ensure(beaten.insert(beat.beat).inserted, "beat \(beat.beat) was told twice")
    try ensure(spawned.contains(beat.beat), "beat \(beat.beat) was told before it spawned")
    try ensure(tUs == startUs + known.beats[beat.beat], "beat \(beat.beat) was told at \(tUs)")
  }

  mutating func hear(_ judgement: RhythmJudgement, at tUs: Int64) throws {
    try ensure(!isOver, "a judgement after the chapter's end")
    guard let beat = judgement.beat else { return try ensure(judgement.verdict == .ghost, "\(judgement) of no beat") }
    try checkBeat(beat, judgement.lane)
    try ensure(
      !hits.contains(beat) && !misses.contains(beat) && !voided.contains(beat), "beat \(beat) was judged twice")
    switch judgement.verdict {
    case .hit:
      hits.insert(beat)
      let error = tUs - startUs - known.beats[beat]
      try ensure(judgement.errorUs == error, "beat \(beat) hit at \(tUs) with an error of \(error): told \(judgement)")
    case .miss:
      misses.insert(beat)
      try ensure(!nobodyCouldTap(beat), "beat \(beat) was missed while the daemon stood still: \(stalls)")
    case .void:
      voided.insert(beat)
      let at = startUs + known.beats[beat]
      try ensure(stalls.contains { $0.contains(at) }, "beat \(beat) is void at \(at), no stall: \(stalls)")
    case .ghost: throw SimulationFailure("a ghost of beat \(beat)")
    }
    try ensure(judgement.misses == misses.count, "\(misses.count) misses, told \(judgement.misses)")
  }

  mutating func hear(_ complete: RhythmComplete, at tUs: Int64) throws {
    try ensure(!isOver, "a chapter ended twice")
    isOver = true
    let score = complete.score
    try ensure(
      score.hits + score.misses + score.voided + score.remaining == known.beats.count,
      "\(score) of \(known.beats.count) beats")
    try ensure(
      score.hits == hits.count && score.misses == misses.count && score.voided == voided.count,
      "\(hits.count) and \(misses.count) told, \(score)")
    guard !complete.stopped else { return }
    try ensure(score.remaining == 0, "complete with \(score)")
    let untold = known.beats.indices.filter { !beaten.contains($0) && !isInStall(startUs + known.beats[$0]) }
    try ensure(untold.isEmpty, "complete with \(beaten.count) beats told of \(known.beats.count)")
  }

  mutating func note(_ stall: ClosedRange<Int64>) { stalls.append(stall) }

  private func isInStall(_ instant: Int64) -> Bool { stalls.contains { $0.contains(instant) } }

  /// Whether the widest cell that the beat can have lay in a stall.
  private func nobodyCouldTap(_ beat: Int) -> Bool {
    let lane = known.beats.indices.filter { known.laneOfBeat[$0] == known.laneOfBeat[beat] }
    let at = known.beats[beat]
    let before = lane.last { $0 < beat }.map { (known.beats[$0] + at) / 2 } ?? .min
    let after = lane.first { $0 > beat }.map { (known.beats[$0] + at) / 2 } ?? .max
    let first = max(at - Self.widestWindow, before) + startUs
    let last = min(at + Self.widestWindow, after) + startUs
    return stalls.contains { $0.contains(first) && $0.contains(last) }
  }

  /// With help, in a simulated pack.
  private static let widestWindow: Int64 = 700_000

  private func checkBeat(_ beat: Int, _ lane: String?) throws {
    try ensure(known.beats.indices.contains(beat), "there is no beat \(beat)")
    try ensure(
      lane == (known.lanes.isEmpty ? nil : known.lanes[known.laneOfBeat[beat]]),
      "beat \(beat) in lane \(lane ?? "none")")
  }
}
