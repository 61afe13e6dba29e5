// SPDX-License-Identifier: Apache-2.0

import Wire

/// What was promised and what came of it, kept by a client that hears everything.
struct Ledger {
  /// A sound or player that was started and what it may still bring.
  private struct Sound {
    /// As it is to be told, where that is known.
    var name: String?
    var scheduledUs: Int64
    var durationUs: Int64
    var endsByItself: Bool
  }

  private var sounds: [Int64: Sound] = [:]
  private var finishedSounds: Set<Int64> = []
  /// Sounds of clients that hold no more than their part of the voices.
  var modest: Set<Int64> = []
  var voices = VoiceLedger()
  /// How many sounds were told as called off.
  private(set) var calledOff = 0
  var stops = StopLedger()
  var music = MusicLedger()
  var account = MusicAccount(isKnown: true)
  var switches = SwitchLedger()
  var cues = CueLedger()
  private(set) var beats = BeatLedger()
  var parameters = ParameterLedger()
  /// Players, with the pattern's name as it is to be told, where that is known.
  private var players: [Int64: String?] = [:]
  private var startedPlayers: Set<Int64> = []
  var endings = PlayerLedger()
  var leavings = LeavingLedger()
  private var endedPlayers: Set<Int64> = []
  /// When it was told last that something of a player is not heard.
  private(set) var unheard: [Int64: Int64] = [:]
  /// The last instant told, by notification, of those that come in order.
  private var lastInstant: [String: Int64] = [:]
  /// Runs that were promised, by their numbers.
  private var runs: [Int64: ChapterLedger] = [:]
  private(set) var lastRun: Int64 = 0
  /// Instants from which a chapter was held.
  private(set) var pauses: Set<Int64> = []
  /// Longer than an output is ahead: the engine has stood for some of it.
  private static let standsSurely: Int64 = 1_200_000
  private(set) var level = HapticsLevel(intensity: 0, sharpness: 0)
  private(set) var chaptersPlayed = 0
  /// What pauses make of instants.
  private(set) var time = GameTime()
  /// How often it was told that the recording broke off.
  private(set) var lostRecordings = 0
  /// The frames that were told as lost.
  private(set) var lostFrames: [Range<Int64>] = []
  /// When the daemon stood still.
  private var stalls = Stalls()

  /// Sounds and players that requests may name: the newest last.
  private(set) var recentSounds: [Int64] = []
  private(set) var recentPlayers: [Int64] = []

  // MARK: - Promises

  mutating func promise(
    _ result: SoundPlay.Result, _ name: String?, of client: Int, endsByItself: Bool, nowUs: Int64
  ) throws {
    try ensure((result.id == nil) == (result.skipped == .soundOff), "a sound is answered as \(result)")
    guard let id = result.id else { return switches.noteSkippedSound(at: nowUs) }
    try ensure(id > 0 && sounds[id] == nil, "sound \(id) was promised twice")
    sounds[id] = Sound(
      name: name, scheduledUs: result.scheduledUs, durationUs: result.durationUs, endsByItself: endsByItself)
    voices.begin(id, of: client, at: result.scheduledUs)
    recentSounds = recentSounds.suffix(32) + [id]
  }

  /// A client goes.
  mutating func lose(_ client: Int, nowUs: Int64) {
    voices.leave(client, at: time.now(nowUs))
    leavings.lose(client, at: time.now(nowUs))
  }

  /// Nothing outlasts its client by more than it may.
  mutating func checkOrphans(nowUs: Int64) throws { try leavings.check(nowUs: time.now(nowUs)) }

  /// A sound is played at another pitch, and ends at another time.
  mutating func retune(_ sound: Int64) { sounds[sound]?.endsByItself = false }

  mutating func promise(_ result: HapticsPlay.Result, _ name: String?, nowUs: Int64) throws {
    try ensure((result.player == nil) == (result.skipped == .hapticsOff), "a player is answered as \(result)")
    guard let player = result.player else { return switches.noteSkippedPlayer(at: nowUs) }
    try ensure(players.updateValue(name, forKey: player) == nil, "player \(player) was promised twice")
    recentPlayers = recentPlayers.suffix(32) + [player]
  }

  /// A run of a chapter; without `known` the last begins anew.
  mutating func promise(_ result: RhythmStart.Result, _ known: SimulatedPack.Chapter?) throws {
    try ensure(result.run > lastRun, "run \(result.run) was promised after \(lastRun)")
    // A run of a client that left before it was told is known to nobody.
    guard let known = known ?? runs[lastRun]?.known else { return }
    runs[result.run] = try ChapterLedger(result, known)
    lastRun = result.run
    chaptersPlayed += 1
  }

  /// A chapter is held: who asks again is told the same.
  mutating func notePause(at instant: Int64) { pauses.insert(instant) }

  /// The run that goes on.
  var chapter: ChapterLedger? { runs[lastRun].flatMap { $0.isOver ? nil : $0 } }

  /// What of a run is told, with its instants on the clock.
  func checkClock(of run: Int64, start: Int64, end: Int64?, paused: Int64?, _ told: @autoclosure () -> String) throws {
    try runs[run]?.checkClock(start: start, end: end, paused: paused, told())
  }

  /// When the beats of a run are heard, since it began.
  func beats(of run: Int64) -> [Int64]? { runs[run]?.beats }

  /// Whether a beat of a run was told to come into sight.
  func hasSpawned(_ beat: Int, in run: Int64) -> Bool { runs[run]?.spawned.contains(beat) ?? false }

  /// The daemon stood still: what was planned for then is late, and what was to be judged is void.
  mutating func note(_ clock: ClosedRange<Int64>) {
    let stall = time.now(clock.lowerBound)...time.now(clock.upperBound)
    stalls.note(stall)
    leavings.note(stall)
    account.lose()
    // What changed meanwhile may be told behind beats of what it changed to.
    beats.noteChange(at: stall.upperBound)
    for run in runs.keys where runs[run]?.isOver == false { runs[run]?.note(stall) }
  }

  // MARK: - What is told

  /// All in game time: what was promised before a pause comes as if there had been none.
  mutating func hear(method: String, tUs: Int64, params: ArraySlice<UInt8>, nowUs: Int64) throws {
    switch method {
    case EnginePaused.name:
      account.lose()
      return try time.pause(at: tUs)
    case EngineResumed.name:
      let movedUs = try decodeJSON(EngineResumed.self, from: params).movedUs
      // One that was let go of before it stood told nothing.
      try ensure(level.intensity == 0 || movedUs < Self.standsSurely, "in a pause of \(movedUs) a level of \(level)")
      return try time.resume(at: tUs, movedUs: movedUs)
    default: break
    }
    let time = time
    let (tUs, nowUs) = (time.game(tUs), time.now(nowUs))
    switch method {
    case SoundFinished.name:
      let finished = try time.read(SoundFinished.self, params)
      try cues.hear(finished, at: tUs)
      try hear(finished, at: tUs)
    case CueFired.name:
      try inOrder(method, tUs)
      let fired = try time.read(CueFired.self, params)
      try cues.hear(fired, at: tUs, nowUs: nowUs)
      try leavings.fire(fired.id)
    case ParameterChanged.name:
      try inOrder(method, tUs)
      try parameters.hear(try time.read(ParameterChanged.self, params), at: tUs, nowUs: nowUs)
    case CueCancelled.name: try cues.hear(try time.read(CueCancelled.self, params), at: tUs)
    case MusicChanged.name:
      try inOrder(method, tUs)
      beats.noteChange(at: tUs)
      let changed = try time.read(MusicChanged.self, params)
      account.hear(changed, at: tUs)
      try music.hear(changed, at: tUs, nowUs: nowUs)
    case MusicBeatAhead.name, MusicBeat.name, MusicBeatRecalled.name, MusicMarkerAhead.name, MusicMarker.name,
      MusicMarkerRecalled.name:
      try beats.hear(method: method, tUs: tUs, params: params, time, nowUs: nowUs)
    case EngineProblem.name:
      let problem = try time.read(EngineProblem.self, params).problem
      try ensure(problem.kind == .recordingFailed, "a problem: \(problem)")
      lostRecordings += 1
    case MusicCancelled.name:
      let cancelled = try time.read(MusicCancelled.self, params)
      cues.hear(cancelled)
      try account.hear(cancelled)
      try music.hear(cancelled)
    case HapticsChanged.name:
      // Of a stall more may be told at once than players take turns in.
      if !stalls.contain(tUs) { try inOrder(method, tUs) }
      let changed = try time.read(HapticsChanged.self, params)
      try cues.hear(changed, at: tUs)
      if !stalls.contain(tUs) { try cues.touches.hear(changed, at: tUs) }
      try hear(changed, at: tUs)
    case HapticsUnheard.name: try hear(try time.read(HapticsUnheard.self, params), at: tUs)
    case HapticsLevel.name:
      try inOrder(method, tUs)
      level = try time.read(HapticsLevel.self, params)
      try ensure(
        (0...1).contains(level.intensity) && (0...1).contains(level.sharpness), "a haptic level of \(level)")
    case RhythmSpawn.name:
      try inOrder(method, tUs)
      let spawn = try time.read(RhythmSpawn.self, params)
      try runs[spawn.run]?.hear(spawn, at: tUs, nowUs: nowUs)
    case RhythmBeat.name:
      try inOrder(method, tUs)
      let beat = try time.read(RhythmBeat.self, params)
      try runs[beat.run]?.hear(beat, at: tUs)
    case RhythmJudgement.name:
      let judgement = try time.read(RhythmJudgement.self, params)
      try runs[judgement.run]?.hear(judgement, at: tUs)
    case RhythmComplete.name:
      let complete = try time.read(RhythmComplete.self, params)
      try runs[complete.run]?.hear(complete, at: tUs)
    case RhythmChanged.name:
      account.lose()
      let changed = try decodeJSON(RhythmChanged.self, from: params)
      try hear(try time.read(RhythmChanged.self, params), at: tUs, nowUs: nowUs)
      try runs[changed.run]?.checkClock(
        start: changed.startUs, end: changed.endUs, paused: changed.pausedUs, "\(changed)")
    case SettingsChanged.name:
      try inOrder(method, tUs)
      let changed = try decodeJSON(SettingsChanged.self, from: params)
      switches.hear(changed, at: tUs)
      if !changed.settings.music { account.lose() }
    case DevicesChanged.name: try inOrder(method, tUs)
    case TimelineCorrected.name:
      let lost = try decodeJSON(TimelineCorrected.self, from: params)
      lostFrames.append(lost.frame..<lost.frame + lost.lostFrames)
    default: break
    }
  }

  private mutating func hear(_ changed: RhythmChanged, at tUs: Int64, nowUs: Int64) throws {
    if changed.change == .paused { pauses.insert(tUs) }
    if let last = changed.lastRun { runs[last]?.end(at: nowUs) }
    if changed.change == .started || changed.change == .restarted {
      let open = runs.filter { $0.key < changed.run && !$0.value.isOver }.keys.sorted()
      try ensure(open.isEmpty, "run \(changed.run) began while \(open) went on")
    }
    try runs[changed.run]?.hear(changed, at: tUs, time)
  }

  /// Whether a sound is told to be over.
  func isFinished(_ sound: Int64) -> Bool { finishedSounds.contains(sound) }

  private mutating func hear(_ finished: SoundFinished, at tUs: Int64) throws {
    try ensure(finishedSounds.insert(finished.id).inserted, "sound \(finished.id) finished twice")
    if finished.reason == .skipped {
      try ensure(switches.sound(at: tUs) != true, "sound \(finished.id) was skipped at \(tUs), while sound was on")
    }
    if finished.reason == .cancelled { calledOff += 1 }
    try leavings.end(finished, at: tUs)
    let hasBegun =
      finished.reason == .outdated
      ? sounds[finished.id].map { tUs > $0.scheduledUs } ?? true : ![.skipped, .cancelled].contains(finished.reason)
    if !hasBegun {
      voices.forget(finished.id)
    } else {
      voices.end(
        finished.id, at: tUs, isStolen: finished.reason == .stolen, isModest: modest.contains(finished.id))
    }
    guard let sound = sounds[finished.id] else { return }
    try ensure(sound.name == nil || sound.name == finished.sound, "\(finished) was asked for as \(sound.name ?? "")")
    // Where control was held up the mixer had begun it by the time that it was told.
    if hasBegun, stalls.span(of: sound.scheduledUs).count == 1,
      !stalls.contain(sound.scheduledUs)
    {
      try ensure(
        switches.sound(at: sound.scheduledUs) != false,
        "sound \(finished.id) of \(sound.scheduledUs) is told as \(finished.reason), and sound was off then")
    }
    // The last frame of a fade, and the period that it is told in.
    if let end = stops.end(of: finished.id, from: sound.scheduledUs, stalls).map({ $0 + 1_000 }) {
      try ensure(tUs <= end, "sound \(finished.id) ended at \(tUs); it was stopped by \(end)")
    }
    guard finished.reason == .ended else { return }
    // A frame is heard within a microsecond of its instant; lengths are told in whole ones.
    let expected = sound.scheduledUs + sound.durationUs
    // What was late to begin ends late.
    if sound.endsByItself, stalls.span(of: sound.scheduledUs).count == 1 {
      let late = switches.isTurnedOnAndOn(before: sound.scheduledUs) ? SwitchLedger.patienceUs : 0
      try ensure(
        tUs >= expected - 45 && tUs <= expected + late + 45,
        "sound \(finished.id) ended at \(tUs), promised for \(expected)")
    }
  }

  private mutating func hear(_ changed: HapticsChanged, at tUs: Int64) throws {
    let player = changed.player
    if case .some(.some(let name)) = players[player] {
      try ensure(name == changed.source, "\(changed) was asked for as \(name)")
    }
    if ![.started, .looped].contains(changed.change) { try leavings.end(player, changed, at: tUs) }
    switch changed.change {
    case .cancelled, .skipped:
      try ensure(!startedPlayers.contains(player), "player \(player) started and is told as \(changed.change)")
      try ensure(endedPlayers.insert(player).inserted, "player \(player) ended twice")
      try ensure(
        changed.change == .cancelled || switches.haptics(at: tUs) != true || stalls.contain(tUs),
        "player \(player) was skipped at \(tUs), while haptics were on")
    case .started:
      try ensure(
        switches.haptics(at: tUs) != false || stalls.contain(tUs), "player \(player) started at \(tUs), while off")
      try ensure(startedPlayers.insert(player).inserted, "player \(player) started twice")
      try ensure(!endedPlayers.contains(player), "player \(player) started after its end")
      endings.begin(player, at: tUs)
      leavings.begin(player)
    case .looped: try ensure(startedPlayers.contains(player), "player \(player) looped before it started")
    case .finished:
      try ensure(startedPlayers.contains(player), "player \(player) finished before it started")
      try endings.end(player, at: tUs, isReplaced: false, stalls)
      try ensure(endedPlayers.insert(player).inserted, "player \(player) ended twice")
    case .stopped:
      try ensure(startedPlayers.contains(player), "player \(player) was stopped before it started")
      try ensure(changed.reason != nil, "player \(player) was stopped for no reason")
      try endings.end(player, at: tUs, isReplaced: changed.reason == .replaced, stalls)
      try ensure(endedPlayers.insert(player).inserted, "player \(player) ended twice")
    }
  }

  private mutating func hear(_ told: HapticsUnheard, at tUs: Int64) throws {
    let player = told.player
    try ensure(startedPlayers.contains(player), "\(told) before it started")
    try ensure(!endedPlayers.contains(player), "\(told) after its end")
    if let last = unheard.updateValue(tUs, forKey: player) {
      try ensure(abs(tUs - last) >= 100_000, "\(told) at \(tUs), and at \(last)")
    }
  }

  /// Whether a player has started and not ended.
  func isPlaying(_ player: Int64) -> Bool { startedPlayers.contains(player) && !endedPlayers.contains(player) }

  private mutating func inOrder(_ method: String, _ tUs: Int64) throws {
    if let last = lastInstant[method] { try ensure(tUs >= last, "\(method) of \(tUs) after that of \(last)") }
    lastInstant[method] = tUs
  }

  // MARK: - The end

  /// All that was started has ended.
  func settle() throws {
    let sounding = sounds.keys.filter { !finishedSounds.contains($0) }.sorted()
    try ensure(sounding.isEmpty, "sounds that never finished: \(sounding)")
    let playing = Set(players.keys).subtracting(endedPlayers).union(startedPlayers.subtracting(endedPlayers)).sorted()
    try ensure(playing.isEmpty, "haptic players that never ended: \(playing)")
    try music.settle(stalls)
    try cues.settle()
    try switches.settle()
    try beats.settle(stalls)
    try ensure(level.intensity == 0, "the last haptic level told is \(level)")
    try ensure(runs.values.allSatisfy(\.isOver), "a chapter never ended")
    for run in runs.values {
      // What was asked for first at the run's own instant gave way to it there.
      let torn = music.begun(inside: run.startUs + 1..<max(run.startUs + 1, run.overUs ?? 0))
      try ensure(torn.isEmpty, "plans \(torn) began inside a chapter from \(run.startUs) to \(run.overUs ?? 0)")
      // What waited for a stall to end may have been over before its song.
      if let song = run.songUs, stalls.span(of: song).count == 1 {
        try ensure(music.hasBegun(at: song, stalls), "a run went on beyond \(song), when its song was to begin")
      }
    }
  }
}

/// Throws what does not hold.
func ensure(_ holds: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String) throws {
  if try !holds() { throw SimulationFailure(message()) }
}
