// SPDX-License-Identifier: Apache-2.0

import ChapterOracle
import SeededNumbers
import Wire

@testable import Simulation

/// A drawn chapter, played at random through the socket: taps, pauses of the chapter and of the engine, restarts, a player who
/// leaves and one who takes over.
struct ChapterGame {
  private(set) var runs: [PlayedRun] = []
  let chapter: RandomChapter
  private let stage: ChapterStage
  /// Whether its beats are sent as it begins, in place of those of the pack.
  private let isInline: Bool
  /// What is known of any run.
  private let model: ChapterOracle
  private var random: SeededRandom
  /// When the chapter ends for want of a player, in game time.
  private var leaseEnds: Int64?
  private var lease: Int64 = 0
  private var isOver = true
  private var wasTakenOver = false
  /// What was done, so that a test can ask whether it was.
  private(set) var done: Set<String> = []

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    chapter = .playable(using: &random)
    isInline = random.oneIn(2)
    stage = try ChapterStage(chapter, isInline: isInline)
    model = ChapterOracle(chapter: chapter, pauses: [], span: 0...0)
  }

  /// In game time.
  var now: Int64 { stage.time.now(stage.nowUs) }
  /// What is asked for now comes within this: a track is read ahead first.
  private static let soon: Int64 = 100_000

  private var anybody: SimulatedClient {
    mutating get { random.oneIn(2) ? stage.watcher : stage.player ?? stage.watcher }
  }
  private var run: Int { runs.count - 1 }

  mutating func play() throws {
    // At its very first instant a daemon is not behind anything yet.
    try stage.step(10_000)
    try begin()
    for _ in 0..<120 where !isOver { try act() }
    while !isOver {
      if stage.time.isPaused { try letGo() }
      if runs[run].isPaused { try resume() }
      try step(20_000)
      if !isOver { try look() }
    }
  }

  private mutating func act() throws {
    switch random.next(below: 100) {
    case 0..<38: try step(random.integer(1...12_000))
    case 38..<42: try step(random.integer(1...60_000))
    case 42..<72: try tap()
    case 72..<80: try look()
    case 80..<84: try pause()
    case 84..<90: if runs[run].isPaused { try resume() }
    case 90..<92: try restart()
    case 92..<96: try holdOrLetGo()
    case 96: if stage.player != nil { try leave() }
    case 97: if leaseEnds != nil { try takeOver() }
    case 98: if random.oneIn(4) { try stop() }
    default: if random.oneIn(2) { try tapToTheLastRun() }
    }
  }

  // MARK: - What is asked

  private mutating func begin() throws {
    // Where a player may leave in the middle there is a lease.
    let given = random.oneIn(4) ? nil : random.integer(0...400_000)
    lease = given ?? 10_000_000
    let atUs = random.oneIn(2) ? nil : stage.nowUs + 60_000 + random.integer(0...100_000)
    let params = RhythmStart.Params(
      chapter: "drawn", atUs: atUs, positionUs: chapter.position, rate: chapter.rate,
      map: isInline ? JSONText(.object(["beats": .array(ChapterStage.beats(chapter))])) : nil, leaseUs: given)
    if isInline { done.insert("map sent") }
    switch try stage.ask(RhythmStart.self, params, by: stage.player ?? stage.watcher) {
    case .failure(let error):
      // Nothing is left to be tapped.
      try ensure(error.data.kind == "invalidParams" && model.out.count == model.beats.count, "\(error)")
    case .success(let started):
      isOver = false
      try begun(started, atUs: atUs)
    }
  }

  private mutating func begun(_ started: RhythmStart.Result, atUs: Int64?) throws {
    let taking = model.beats.indices.filter { !model.out.contains($0) }
    let soonest = now + max(0, chapter.spawnLead - (taking.map { model.beats[$0] }.min() ?? 0))
    try ensure(started.startUs >= soonest, "begins at \(started.startUs), its first spawn is whole from \(soonest) on")
    try ensure(
      started.startUs <= max(soonest + Self.soon, atUs ?? 0), "begins at \(started.startUs), asked for now: \(soonest)")
    try ensure(started.endUs == started.startUs + model.end, "ends at \(started.endUs)")
    try ensure(started.beats == taking.count, "\(started.beats) of \(taking.count) beats")
    runs.append(PlayedRun(id: started.run, asked: now, start: started.startUs))
    try listen(from: now)
  }

  private mutating func step(_ length: Int64) throws {
    let from = now
    try stage.step(length)
    if let leaseEnds, now >= leaseEnds { runs[run].cut = leaseEnds }
    try listen(from: from)
  }

  private mutating func tap() throws {
    // A pause that is asked for next comes no sooner.
    var stamp = stage.nowUs - random.integer(-900...(random.oneIn(4) ? 60_000 : 12_000))
    let lane = chapter.isLaned ? random.next(below: chapter.laneCount) : nil
    let isNow = random.oneIn(4)
    if isNow { stamp = stage.nowUs }
    let params = RhythmTap.Params(atUs: isNow ? nil : stamp, lane: lane.map(String.init))
    let stood = stage.time.pauses.contains { $0.from <= stamp && stamp < $0.until ?? .max }
    let answer = try stage.ask(RhythmTap.self, params, by: anybody)
    if stood {
      done.insert("tap in a pause of the engine")
      guard case .failure(let error) = answer, error.data.kind == "paused" else {
        throw SimulationFailure("a tap of \(stamp), when the engine stood, is answered \(answer)")
      }
      return
    }
    runs[run].deliveries.append(Delivery(stamp: stage.time.game(stamp), lane: lane, now: now))
    if case .failure(let error) = answer {
      switch error.data.kind {
      case "tooLate":
        done.insert("tap too late")
        runs[run].refused.append("\(now) too late")
      case "notRunning":
        done.insert("tap in a pause")
        runs[run].refused.append("\(now) in a pause")
      default: throw SimulationFailure("a tap of \(stamp) is refused: \(error)")
      }
    }
    try listen(from: now)
  }

  private mutating func tapToTheLastRun() throws {
    guard runs.count > 1 else { return }
    let params = RhythmTap.Params(lane: chapter.isLaned ? "0" : nil, run: runs[run - 1].id)
    guard case .failure(let error) = try stage.ask(RhythmTap.self, params, by: anybody) else {
      throw SimulationFailure("a tap to a run that is over is judged")
    }
    try ensure(["notRunning", "paused"].contains(error.data.kind), "\(error)")
  }

  private mutating func pause() throws {
    let paused: RhythmPause.Result
    switch try stage.ask(RhythmPause.self, Empty(), by: anybody) {
    case .success(let result): paused = result
    case .failure(let error): return try ensure(error.data.kind == "busy", "\(error)")
    }
    if let last = runs[run].pauses.last, last.to == .max {
      try ensure(paused.pausedUs == last.from, "paused at \(last.from), and at \(paused.pausedUs)")
    } else {
      done.insert("pause")
      let changed = runs[run].pauses.last?.to ?? now
      try ensure(paused.pausedUs > now && paused.pausedUs >= changed, "paused at \(paused.pausedUs), now \(now)")
      try ensure(paused.pausedUs <= max(now, changed) + Self.soon, "paused at \(paused.pausedUs), now \(now)")
      runs[run].pauses.append(Pause(asked: now, from: paused.pausedUs))
    }
    try listen(from: now)
  }

  private mutating func resume() throws {
    let beats = random.oneIn(2) ? nil : random.integer(0...4)
    let resumed: RhythmResume.Result
    switch try stage.ask(RhythmResume.self, .init(countInBeats: beats), by: anybody) {
    case .success(let result): resumed = result
    case .failure(let error): return try ensure(error.data.kind == "busy", "\(error)")
    }
    done.insert("resume")
    let from = runs[run].pauses[runs[run].pauses.count - 1].from
    try ensure(resumed.scheduledUs >= max(now, from), "on from \(resumed.scheduledUs), now \(now)")
    try ensure(resumed.scheduledUs <= max(now, from) + Self.soon, "on from \(resumed.scheduledUs), now \(now)")
    // Whole beats of the track as the player hears them, and none from before the song.
    let beat = 60e6 / Double(ChapterStage.bpm) / chapter.rate
    func length(_ beats: Int) -> Int64 { Int64((Double(beats) * beat).rounded()) }
    let stood = from - runs[run].start - runs[run].moved.reduce(0, +)
    let before = stood - model.songBegins
    let expected = (0...(beats.map(Int.init) ?? 4)).last { $0 == 0 || length($0) <= before } ?? 0
    try ensure(resumed.countInBeats == expected, "\(resumed.countInBeats) beats of count-in, not \(expected)")
    runs[run].pauses[runs[run].pauses.count - 1].to = resumed.scheduledUs
    runs[run].pauses[runs[run].pauses.count - 1].countIn = length(expected)
    runs[run].pauses[runs[run].pauses.count - 1].known = now
    // On the clock, of which the pauses of the engine in the hold are a part.
    let engineStood = stage.time.behind(resumed.endUs) - stage.time.behind(from)
    if engineStood > 0 { done.insert("resume behind a pause of the engine") }
    runs[run].moved.append(resumed.movedUs - engineStood)
    runs[run].goesOn.append(resumed.goesOnUs)
    try listen(from: now)
  }

  private mutating func restart() throws {
    let restarted: RhythmStart.Result
    switch try stage.ask(RhythmRestart.self, Empty(), by: anybody) {
    case .success(let result): restarted = result
    case .failure(let error): return try ensure(error.data.kind == "busy", "\(error)")
    }
    done.insert("restart")
    runs[run].cut = now
    try ensure(restarted.run == runs[run].id + 1, "run \(restarted.run) follows \(runs[run].id)")
    try begun(restarted, atUs: nil)
  }

  private mutating func stop() throws {
    done.insert("stop")
    runs[run].cut = now
    try stage.granted(RhythmStop.self, Empty(), by: anybody)
    try listen(from: now)
  }

  private mutating func holdOrLetGo() throws {
    if stage.time.isPaused { return try letGo() }
    done.insert("engine paused")
    _ = try stage.ask(EnginePause.self, Empty(), by: anybody)
    try listen(from: now)
  }

  private mutating func letGo() throws {
    for client in [stage.watcher, stage.player] {
      if let client { _ = try stage.ask(EngineResume.self, Empty(), by: client) }
    }
    try listen(from: now)
  }

  private mutating func leave() throws {
    if wasTakenOver { return }
    done.insert("left")
    let from = now
    // Where the engine stands, now is the instant at which it goes on, which is not over.
    leaseEnds = from + lease + (stage.time.stands(at: stage.nowUs) ? 1 : 0)
    if lease == 0 { runs[run].cut = from }
    try stage.leave()
    try listen(from: from)
  }

  private mutating func takeOver() throws {
    done.insert("taken over")
    try stage.granted(RhythmTakeOver.self, .init(), by: stage.watcher)
    (leaseEnds, wasTakenOver) = (nil, true)
    try listen(from: now)
  }

  private mutating func look() throws {
    let status = try stage.granted(RhythmStatus.self, Empty(), by: anybody)
    try ensure(
      status.run == runs[run].id && status.leaseEndsUs == leaseEnds, "\(status), a lease to \(leaseEnds ?? -1)")
    if status.running {
      let drawn = [status.startPositionUs, status.windowUs, status.spawnLeadUs, status.leaseUs]
      try ensure(
        drawn == [chapter.position, chapter.window, chapter.spawnLead, lease] && status.rate == chapter.rate
          && status.beats == model.beats.count - model.out.count
          && status.lanes == (chapter.isLaned ? (0..<chapter.laneCount).map(String.init) : [])
          && status.grades.map(\.windowUs) == chapter.grades
          && status.assist?.windowUs == status.assist.map { _ in chapter.wide },
        "\(status) is not \(chapter)")
      // Where it is paused nobody knows.
      let startUs = runs[run].start + runs[run].moved.reduce(0, +)
      if !runs[run].isPaused {
        try ensure(status.startUs == startUs && status.endUs == startUs + model.end, "\(status)")
      }
    }
    if status.assist != nil { done.insert("help seen") }
    runs[run].look(status, at: now)
  }

  // MARK: - What is told

  private mutating func listen(from: Int64) throws {
    for heard in stage.takeHeard() {
      switch heard {
      case .spawn(let spawn, let at):
        try place(spawn.run) { $0.announced.append("\(at) spawn \(spawn.beat) for \(spawn.beatUs)") }
      case .beat(let beat, let at): try place(beat.run) { $0.announced.append("\(at) beat \(beat.beat)") }
      case .judgement(let judgement, let at):
        let now = now
        try place(judgement.run) { $0.hear(judgement, at: at, between: from, and: now) }
      case .assist: runs[run].told.append((from, now, "assist"))
      case .complete(let complete, let at):
        isOver = true
        let now = now
        let cut = runs[run].cut
        if complete.stopped, cut == leaseEnds { done.insert("lease ended") }
        // While the engine stands now is the last instant before, and what happens is told of the next.
        let told = stage.time.stands(at: stage.nowUs) && cut == now ? cut.map { $0 + 1 } : cut
        if complete.stopped { try ensure(at == told, "broken off at \(at), not at \(told ?? -1)") }
        try place(complete.run) { $0.hear(complete, between: from, and: now) }
        if !complete.stopped { runs[run].cut = nil }
      case .changed(let changed, let at):
        if changed.change == .unattended {
          try ensure(
            changed.leaseEndsUs == leaseEnds, "a lease to \(changed.leaseEndsUs ?? -1), not \(leaseEnds ?? -1)")
        }
        if changed.change == .paused { try ensure(at == runs[run].pauses.last?.from, "paused at \(at)") }
      }
    }
  }

  private mutating func place(_ id: Int64, _ note: (inout PlayedRun) -> Void) throws {
    guard let place = runs.firstIndex(where: { $0.id == id }) else { throw SimulationFailure("told of run \(id)") }
    note(&runs[place])
  }
}
