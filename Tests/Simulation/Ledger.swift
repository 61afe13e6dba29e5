// SPDX-License-Identifier: Apache-2.0

import Wire

/// What was promised and what came of it, kept by a client that hears everything.
struct Ledger {
  /// A sound or player that was started and what it may still bring.
  private struct Sound {
    var scheduledUs: Int64
    var durationUs: Int64
    var endsByItself: Bool
  }

  private var sounds: [Int64: Sound] = [:]
  private var finishedSounds: Set<Int64> = []
  var stops = StopLedger()
  var music = MusicLedger()
  var switches = SwitchLedger()
  var cues = CueLedger()
  var parameters = ParameterLedger()
  private var players: Set<Int64> = []
  private var startedPlayers: Set<Int64> = []
  private var endedPlayers: Set<Int64> = []
  /// The last instant told, by notification, of those that come in order.
  private var lastInstant: [String: Int64] = [:]
  private(set) var chapter: ChapterLedger?
  /// Promised before the end of the one that runs was heard.
  private var nextChapter: ChapterLedger?
  private(set) var level = HapticsLevel(intensity: 0, sharpness: 0)
  private(set) var chaptersPlayed = 0
  /// When the daemon stood still.
  private var stalls = Stalls()

  /// Sounds and players that requests may name: the newest last.
  private(set) var recentSounds: [Int64] = []
  private(set) var recentPlayers: [Int64] = []

  // MARK: - Promises

  mutating func promise(_ result: SoundPlay.Result, endsByItself: Bool, nowUs: Int64) throws {
    try ensure((result.id == nil) == (result.skipped == .soundOff), "a sound is answered as \(result)")
    guard let id = result.id else { return switches.noteSkippedSound(at: nowUs) }
    try ensure(id > 0 && sounds[id] == nil, "sound \(id) was promised twice")
    sounds[id] = Sound(
      scheduledUs: result.scheduledUs, durationUs: result.durationUs, endsByItself: endsByItself)
    recentSounds = recentSounds.suffix(32) + [id]
  }

  /// A sound is played at another pitch, and ends at another time.
  mutating func retune(_ sound: Int64) { sounds[sound]?.endsByItself = false }

  mutating func promise(_ result: HapticsPlay.Result, nowUs: Int64) throws {
    try ensure((result.player == nil) == (result.skipped == .hapticsOff), "a player is answered as \(result)")
    guard let player = result.player else { return switches.noteSkippedPlayer(at: nowUs) }
    try ensure(players.insert(player).inserted, "player \(player) was promised twice")
    recentPlayers = recentPlayers.suffix(32) + [player]
  }

  mutating func promise(_ result: RhythmStart.Result, _ known: SimulatedPack.Chapter) throws {
    try ensure(nextChapter == nil, "a chapter began while one was running")
    nextChapter = try ChapterLedger(result, known)
    chaptersPlayed += 1
    followChapter()
  }

  /// The daemon stood still: what was planned for then is late, and what was to be judged is void.
  mutating func note(_ stall: ClosedRange<Int64>) {
    stalls.note(stall)
    chapter?.note(stall)
    nextChapter?.note(stall)
  }

  // MARK: - What is told

  mutating func hear(method: String, tUs: Int64, params: ArraySlice<UInt8>, nowUs: Int64) throws {
    switch method {
    case SoundFinished.name:
      let finished = try decodeJSON(SoundFinished.self, from: params)
      try cues.hear(finished, at: tUs, stops, stalls)
      try hear(finished, at: tUs)
    case CueFired.name:
      try inOrder(method, tUs)
      let fired = try decodeJSON(CueFired.self, from: params)
      try cues.hear(fired, at: tUs, nowUs: nowUs)
      // A step of it that ends sounds begins another fade of those that end already.
      if let stop = SimulatedPack.stopsOfCues[fired.cue] {
        stops.note(.named(stop.sound), at: tUs + stop.afterUs, fadeUs: stop.fadeUs)
      }
    case ParameterChanged.name:
      try inOrder(method, tUs)
      try parameters.hear(try decodeJSON(ParameterChanged.self, from: params), at: tUs, nowUs: nowUs)
    case CueCancelled.name: try cues.hear(try decodeJSON(CueCancelled.self, from: params), at: tUs)
    case MusicChanged.name:
      try inOrder(method, tUs)
      try music.hear(try decodeJSON(MusicChanged.self, from: params), at: tUs, nowUs: nowUs)
    case EngineProblem.name:
      throw SimulationFailure("a problem: \(try decodeJSON(EngineProblem.self, from: params).problem)")
    case MusicCancelled.name:
      let cancelled = try decodeJSON(MusicCancelled.self, from: params)
      cues.hear(cancelled)
      try music.hear(cancelled)
    case HapticsChanged.name:
      // Of a stall more may be told at once than players take turns in.
      if !stalls.contain(tUs) { try inOrder(method, tUs) }
      let changed = try decodeJSON(HapticsChanged.self, from: params)
      try cues.hear(changed, at: tUs)
      try hear(changed, at: tUs)
    case HapticsLevel.name:
      try inOrder(method, tUs)
      level = try decodeJSON(HapticsLevel.self, from: params)
      try ensure(
        (0...1).contains(level.intensity) && (0...1).contains(level.sharpness), "a haptic level of \(level)")
    case RhythmSpawn.name:
      try inOrder(method, tUs)
      try chapter?.hear(try decodeJSON(RhythmSpawn.self, from: params), at: tUs, nowUs: nowUs)
    case RhythmBeat.name:
      try inOrder(method, tUs)
      try chapter?.hear(try decodeJSON(RhythmBeat.self, from: params), at: tUs)
    case RhythmJudgement.name: try chapter?.hear(try decodeJSON(RhythmJudgement.self, from: params), at: tUs)
    case RhythmComplete.name:
      try chapter?.hear(try decodeJSON(RhythmComplete.self, from: params), at: tUs)
      followChapter()
    case SettingsChanged.name:
      try inOrder(method, tUs)
      let changed = try decodeJSON(SettingsChanged.self, from: params)
      switches.hear(changed, at: tUs)
      // What loops fades anew, from the first frame that is reached.
      if !changed.settings.sound { stops.note(.loops, at: tUs, fadeUs: 90_000) }
    case DevicesChanged.name: try inOrder(method, tUs)
    default: break
    }
  }

  private mutating func followChapter() {
    guard chapter?.isOver ?? true, let next = nextChapter else { return }
    (chapter, nextChapter) = (next, nil)
  }

  private mutating func hear(_ finished: SoundFinished, at tUs: Int64) throws {
    try ensure(finishedSounds.insert(finished.id).inserted, "sound \(finished.id) finished twice")
    if finished.reason == .skipped {
      try ensure(switches.sound(at: tUs) != true, "sound \(finished.id) was skipped at \(tUs), while sound was on")
    }
    guard let sound = sounds[finished.id] else { return }
    if ![.skipped, .cancelled].contains(finished.reason), stalls.span(of: sound.scheduledUs).count == 1 {
      try ensure(
        switches.sound(at: sound.scheduledUs) != false,
        "sound \(finished.id) of \(sound.scheduledUs) is told as \(finished.reason), and sound was off then")
    }
    // One whose client leaves meanwhile fades for 50 ms.
    if let end = stops.end(of: finished.id, finished.sound, from: sound.scheduledUs, stalls).map({ $0 + 60_000 }) {
      try ensure(tUs <= end, "sound \(finished.id) ended at \(tUs); all were stopped by \(end)")
    }
    guard finished.reason == .ended else { return }
    // A frame is heard within a microsecond of its instant; lengths are told in whole ones.
    let expected = sound.scheduledUs + sound.durationUs
    // What was late to begin ends late.
    if sound.endsByItself, stalls.span(of: sound.scheduledUs).count == 1 {
      try ensure(abs(tUs - expected) <= 45, "sound \(finished.id) ended at \(tUs), promised for \(expected)")
    }
  }

  private mutating func hear(_ changed: HapticsChanged, at tUs: Int64) throws {
    let player = changed.player
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
    case .looped: try ensure(startedPlayers.contains(player), "player \(player) looped before it started")
    case .finished:
      try ensure(startedPlayers.contains(player), "player \(player) finished before it started")
      try ensure(endedPlayers.insert(player).inserted, "player \(player) ended twice")
    case .stopped:
      try ensure(startedPlayers.contains(player), "player \(player) was stopped before it started")
      try ensure(changed.reason != nil, "player \(player) was stopped for no reason")
      try ensure(endedPlayers.insert(player).inserted, "player \(player) ended twice")
    }
  }

  private mutating func inOrder(_ method: String, _ tUs: Int64) throws {
    if let last = lastInstant[method] { try ensure(tUs >= last, "\(method) of \(tUs) after that of \(last)") }
    lastInstant[method] = tUs
  }

  // MARK: - The end

  /// All that was started has ended.
  func settle() throws {
    let sounding = sounds.keys.filter { !finishedSounds.contains($0) }.sorted()
    try ensure(sounding.isEmpty, "sounds that never finished: \(sounding)")
    let playing = players.subtracting(endedPlayers).union(startedPlayers.subtracting(endedPlayers)).sorted()
    try ensure(playing.isEmpty, "haptic players that never ended: \(playing)")
    try music.settle(stalls)
    try cues.settle()
    try switches.settle()
    try ensure(level.intensity == 0, "the last haptic level told is \(level)")
    try ensure((chapter?.isOver ?? true) && nextChapter == nil, "a chapter never ended")
  }
}

/// Throws what does not hold.
func ensure(_ holds: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String) throws {
  if try !holds() { throw SimulationFailure(message()) }
}
