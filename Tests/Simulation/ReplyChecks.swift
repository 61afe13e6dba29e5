// SPDX-License-Identifier: Apache-2.0

import Wire

/// What every reply has to be, and what those of each method have to say.
struct ReplyChecks {
  let pack: SimulatedPack
  let names = NameChecks()
  var nowUs: Int64
  /// Refusals by kind, for the report.
  private(set) var refusals: [String: Int] = [:]
  private(set) var answers = 0
  /// How often each method was granted.
  private var grants: [String: Int] = [:]
  /// When what was granted last begins, in game time.
  var scheduledUs: Int64?
  /// What came of the last reload of a pack.
  var reading: PackReading?
  /// Whether the daemon stood still once: what was due meanwhile is late.
  var hasStalled = false { didSet { if hasStalled { hasStoodStill = true } } }
  /// Whether it stood still in the middle of a line: so lines were late, and nothing that was told.
  var hasStoodStill = false
  /// Whether the device may have lost frames.
  private var hasLostFrames = false

  init(pack: SimulatedPack, nowUs: Int64) {
    self.pack = pack
    self.nowUs = nowUs
  }

  /// How often a method was granted.
  func granted(_ method: String) -> Int { grants[method] ?? 0 }

  /// A reply to `sent`; promises go to the ledger.
  mutating func take(
    _ result: Result<ArraySlice<UInt8>, RPCError>, to sent: SimulatedClient.Sent, of client: SimulatedClient,
    _ ledger: inout Ledger
  ) throws {
    switch result {
    case .failure(let error): try take(error, to: sent)
    case .success(let bytes):
      answers += 1
      grants[sent.method, default: 0] += 1
      try ensure(!sent.isRefused, "\(sent.method) was granted beyond all bounds")
      let most = sent.method == "rpc.discover" ? 262_144 : 16_384
      try ensure(bytes.count <= most, "the reply to \(sent.method) has \(bytes.count) bytes")
      try names.check(bytes, in: sent.method)
      if sent.mayMoveMusic { ledger.account.lose() }
      if !sent.isGarbled { try take(bytes, to: sent, of: client, &ledger) }
    }
  }

  /// The most bytes that stand together of what long names are made of, as `RequestMaker` sends them.
  private static func longestEcho(in text: String) -> Int {
    var (longest, count) = (0, 0)
    for byte in text.utf8 {
      count = [0x71, 0xCC, 0x81].contains(byte) ? count + 1 : 0
      longest = max(longest, count)
    }
    return longest
  }

  private mutating func take(_ error: RPCError, to sent: SimulatedClient.Sent) throws {
    refusals[error.data.kind, default: 0] += 1
    try ensure(!sent.isModest, "a client that holds a few sounds was refused another: \(error)")
    try ensure(!sent.isOwed, "a client that asks for little is refused \(sent.method): \(error)")
    try ensure(
      !sent.isNeverBusy || error.data.kind != RPCError.Kind.busy.rawValue,
      "a client that asks for little is refused \(sent.method): \(error)")
    try ensure(
      !sent.isInBounds || error.data.kind == RPCError.Kind.busy.rawValue,
      "\(sent.method) within its bounds is refused: \(error)")
    // A garbled line may be none of any method.
    var listed = allMethods.first { $0.name == sent.method }?.kindsOfErrors ?? [.unknownMethod]
    // What is out of bounds is refused before its method is looked for.
    if sent.isRefused { listed += RPCError.Kind.ofNoMethod }
    try ensure(
      sent.isGarbled || listed.contains { $0.rawValue == error.data.kind },
      "\(sent.method): a kind of error that it does not list: \(error)")
    try ensure(
      !error.message.isEmpty && !error.data.kind.isEmpty, "\(sent.method): an error that says nothing: \(error)")
    try ensure(
      error.message.utf8.count <= 512, "\(sent.method): an error of \(error.message.utf8.count) bytes")
    for text in [error.message, error.data.hint ?? ""] {
      try ensure(Self.longestEcho(in: text) <= 64, "\(sent.method): more than 64 bytes of a name are shown: \(text)")
    }
    try ensure(error.data.kind != RPCError.Kind.internal.rawValue, "\(sent.method): an internal error: \(error)")
    try ensure(
      !sent.isOfStall || error.data.kind != RPCError.Kind.tooLate.rawValue,
      "a tap of when the daemon stood still came too late: \(error)")
    try ensure(error.data.hint?.isEmpty == false, "\(sent.method): an error without a hint: \(error)")
  }

  private mutating func take(
    _ bytes: ArraySlice<UInt8>, to sent: SimulatedClient.Sent, of client: SimulatedClient, _ ledger: inout Ledger
  ) throws {
    let meant = sent.named.map { $0.contains(":") ? $0 : client.pack + ":" + $0 }
    switch sent.method {
    case SessionUse.name:
      let used = try read(SessionUse.self, bytes, ledger.time).pack
      try ensure(used == sent.named ?? "game", "\(sent) uses \(used ?? "nothing")")
      client.pack = used ?? ""
    case PackReload.name:
      reading = try read(PackReload.self, bytes, ledger.time).packs.first
      ledger.account.noteReading()
    case SoundPlay.name:
      let result = try read(SoundPlay.self, bytes, ledger.time)
      try ensure(meant == nil || meant == result.sound, "\(sent) is of \(result.sound)")
      try ensure(result.durationUs > 0, "a sound of \(result.durationUs) us")
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
      try ledger.promise(
        result, meant, of: client.name, endsByItself: sent.endsByItself, nowUs: ledger.time.now(nowUs))
      if let id = result.id, sent.isModest { ledger.modest.insert(id) }
      if let id = result.id {
        ledger.leavings.promise(.sound(id), of: client.name, at: result.scheduledUs, sent.lifetime)
      }
    case HapticsPlay.name, HapticsTransient.name, HapticsContinuous.name:
      let result = try read(HapticsPlay.self, bytes, ledger.time)
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
      try ensure(meant == nil || meant == result.source, "\(sent) is of \(result.source)")
      try ledger.promise(result, meant, nowUs: ledger.time.now(nowUs))
      if let player = result.player {
        ledger.leavings.promise(.player(player), of: client.name, at: result.scheduledUs, sent.lifetime)
      }
      if let player = result.player, let other = sent.otherPlayer { ledger.endings.note(player, replacing: other) }
    case RhythmStart.name, RhythmRestart.name:
      let result = try read(RhythmStart.self, bytes, ledger.time)
      guard let own = pack.chapters.first(where: { "game:" + $0.name == result.chapter }) else {
        throw SimulationFailure("there is no chapter \(result.chapter)")
      }
      try ensure(meant == nil || meant == result.chapter, "\(sent) begins \(result.chapter)")
      ledger.account.lose()
      try ledger.promise(result, sent.method == RhythmStart.name ? sent.map ?? own : nil)
    case RhythmPause.name:
      let result = try read(RhythmPause.self, bytes, ledger.time)
      try ensure(
        result.pausedUs >= ledger.time.now(nowUs) || ledger.pauses.contains(result.pausedUs),
        "paused at \(result.pausedUs), now is \(ledger.time.now(nowUs))")
      ledger.notePause(at: result.pausedUs)
    case RhythmResume.name:
      let result = try read(RhythmResume.self, bytes, ledger.time)
      try ensure(
        result.scheduledUs >= ledger.time.now(nowUs) && result.goesOnUs >= result.scheduledUs && result.movedUs >= 0,
        "\(result)")
      let told = try decodeJSON(RhythmResume.Result.self, from: bytes)
      try ledger.checkClock(of: told.run, start: told.startUs, end: told.endUs, paused: nil, "\(told)")
    case RhythmStatus.name, RhythmTakeOver.name:
      try check(try read(RhythmStatus.self, bytes, ledger.time), ledger)
      try checkClock(try decodeJSON(RhythmStatus.Result.self, from: bytes), ledger)
    case MusicPlay.name, MusicSeek.name:
      let result = try read(MusicPlay.self, bytes, ledger.time)
      try ensure(meant == nil || meant == result.track, "\(sent) is of \(result.track)")
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
      // What a seek meets is known at its instant only, and so is where a track is that goes on.
      let isPlaced = sent.method == MusicPlay.name && !sent.continues
      let entry = TrackEntry(track: result.track, positionUs: result.positionUs, loops: sent.loops)
      try ledger.music.promise(
        result.plan, at: result.scheduledUs, begins: true, entry: isPlaced ? entry : nil, lateUs: result.lateUs)
      ledger.account.promise(
        sent.method, sent.line, plan: result.plan, at: result.scheduledUs, lateUs: result.lateUs, result.track)
    case MusicStop.name, MusicPause.name, MusicResume.name, MusicGain.name:
      let result = try read(MusicStop.self, bytes, ledger.time)
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
      try ledger.music.promise(result.plan, at: result.scheduledUs, begins: false)
      ledger.account.promise(
        sent.method, sent.line, plan: result.plan, at: result.scheduledUs, lateUs: result.lateUs, nil)
    case MusicCancel.name: ledger.account.callOff(line: sent.line)
    case SoundSet.name:
      let result = try read(SoundStop.self, bytes, ledger.time)
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
      if let sound = sent.retunedSound { ledger.retune(sound) }
    case ParameterSet.name:
      let result = try read(ParameterSet.self, bytes, ledger.time)
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
      ledger.parameters.promise(meant, at: result.scheduledUs)
    case CueFire.name:
      let result = try read(CueFire.self, bytes, ledger.time)
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
      try ensure(meant == nil || meant == result.cue, "\(sent) is of \(result.cue)")
      try ensure(
        result.suppressed || result.skipped.count >= sent.stepsBeyond,
        "\(sent.stepsBeyond) steps are more than an hour ahead, and skipped are \(result.skipped)")
      // What comes later than that after it was asked for is not waited for.
      let waitedUs = sent.isForNow ? result.scheduledUs - ledger.time.now(sent.servedUs ?? nowUs) : result.lateUs
      try ledger.cues.promise(result, meant, isAsap: sent.isAsap || sent.waitsForSound && waitedUs > 50_000)
      ledger.account.promise(result)
      if let id = result.id {
        var lifetime = sent.lifetime
        lifetime.loops = result.cue == SimulatedPack.loopingCue
        ledger.leavings.promise(cue: id, of: client.name, at: result.scheduledUs, lifetime)
      }
    case CueStop.name:
      let result = try read(CueStop.self, bytes, ledger.time)
      try ledger.cues.stop(sent.stoppedCue, result, fadeUs: sent.fadeUs, nowUs: ledger.time.now(nowUs))
    case SoundStop.name:
      let result = try read(SoundStop.self, bytes, ledger.time)
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
      ledger.stops.note(
        sent.stoppedSound.map { .sound($0) } ?? .all, at: result.scheduledUs, fadeUs: sent.fadeUs,
        isNow: sent.atUs == nil)
    case HapticsStop.name:
      let result = try read(HapticsStop.self, bytes, ledger.time)
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
      // Without an instant it is of those that there are when it is served.
      if sent.otherPlayer == nil, sent.atUs != nil { ledger.endings.noteStop(at: result.scheduledUs) }
    case HapticsSendParameters.name, HapticsScheduleCurve.name:
      let result = try read(SoundStop.self, bytes, ledger.time)
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
    case HapticsPause.name, HapticsResume.name, HapticsSeek.name, HapticsSet.name:
      let result = try read(HapticsPause.self, bytes, ledger.time)
      try checkInstant(result.scheduledUs, result.lateUs, sent, ledger.time)
    case RhythmTap.name: try check(try read(RhythmTap.self, bytes, ledger.time), sent, ledger.time)
    case EnginePause.name:
      let paused = try decodeJSON(PauseState.self, from: bytes)
      try ensure(paused.clients > 0 && !paused.sleep, "paused by this client, and told as \(paused)")
    case EngineResume.name:
      let resumed = try decodeJSON(EngineResume.Result.self, from: bytes)
      try ensure(
        (resumed.paused == nil) == (resumed.movedUs != nil) && (resumed.movedUs == nil) == (resumed.resumedUs == nil),
        "resumed as \(resumed)")
    case EngineStatus.name: try check(try read(EngineStatus.self, bytes, ledger.time))
    case DevicesSet.name: if try read(DevicesSet.self, bytes, ledger.time).audio != nil { hasLostFrames = true }
    case TraceExplain.name: try check(try read(TraceExplain.self, bytes, ledger.time))
    case EngineStats.name:
      let stats = try read(EngineStats.self, bytes, ledger.time)
      try ensure(
        stats.nowUs == nowUs && stats.audio.xruns == 0 && stats.recordsLost == 0 && stats.clients.count <= 64
          && stats.clients.allSatisfy { $0.queuedBytes >= 0 } && (hasStoodStill || stats.audio.latestWakeUs == 0),
        "\(stats)")
      try ensure(
        stats.meters.allSatisfy { ($0.peakDb ?? 0).isFinite } && (stats.meters.last?.peakDb ?? 0) <= 0,
        "\(stats.meters)")
    case TraceRead.name:
      let page = try read(TraceRead.self, bytes, ledger.time)
      try ensure(
        page.records.count <= TraceRead.pageRecords && page.next <= page.end && page.lost == 0, "a page of \(page)")
    case ClockStep.name: nowUs = try read(ClockStep.self, bytes, ledger.time).nowUs
    default: break
    }
  }

  /// What was answered, in game time.
  private func read<Method: WireMethod>(
    _ method: Method.Type, _ bytes: ArraySlice<UInt8>, _ time: GameTime
  ) throws -> Method.Result {
    var result = try decodeJSON(Method.Result.self, from: bytes)
    Method.moveInstants(in: &result, time.game)
    return result
  }

  /// Not before now; when it was asked for, or later by what is told.
  private mutating func checkInstant(
    _ scheduledUs: Int64, _ lateUs: Int64, _ sent: SimulatedClient.Sent, _ time: GameTime
  ) throws {
    let nowUs = time.now(sent.servedUs ?? nowUs)
    try ensure(scheduledUs >= nowUs, "\(sent) is scheduled for \(scheduledUs), before now, \(nowUs)")
    try ensure(lateUs >= 0, "\(sent) is late by \(lateUs)")
    self.scheduledUs = scheduledUs
    try ensure(!sent.isReachable || lateUs == 0, "\(sent) was told as the earliest, and is late by \(lateUs)")
    guard let asked = sent.atUs.map(time.game) else { return }
    let (difference, overflow) = scheduledUs.subtractingReportingOverflow(asked)
    try ensure(
      overflow || abs(difference - lateUs) <= 1,
      "\(sent) is scheduled for \(scheduledUs), late by \(lateUs)")
  }

  /// Stages are in order and begin before they end; on a clock that stands still meanwhile nobody but clients is late.
  private func check(_ life: TraceExplain.Result) throws {
    var last = Int64.min
    for stage in life.stages {
      let over = stage.toUs ?? .max
      try ensure(stage.fromUs <= over && over >= last && stage.lateUs >= 0, "a life in disorder: \(life)")
      last = over
    }
    try ensure(life.late.allSatisfy { $0.lateUs >= 1_000 }, "who was on time is blamed: \(life)")
    try ensure(life.late.map(\.lateUs) == life.late.map(\.lateUs).sorted(by: >), "the worst is not first: \(life)")
    // A line may wait for another's step of the clock, in which control uses no processor.
    let waited = life.stages.contains { $0.stage == .waited && $0.lateUs >= 1_000 }
    // Nor is anybody blamed by what is overwritten.
    let others = life.late.filter {
      ![.clientAskedLate, .unknown].contains($0.who) && !(waited && $0.who == .controlDescheduled)
        && !(hasLostFrames && $0.who == .soundDevice)
    }
    try ensure(hasStoodStill || others.isEmpty, "nobody was late but clients: \(life)")
  }

  /// What is in sight is where it is to be heard, and not judged.
  private func check(_ status: RhythmStatus.Result, _ ledger: Ledger) throws {
    guard status.running else {
      return try ensure(status.beatsInSight.isEmpty && status.verdicts.isEmpty && status.startUs == nil, "\(status)")
    }
    let judged = Set(status.verdicts.map(\.beat))
    try ensure(judged.count == status.verdicts.count, "a beat was judged twice: \(status.verdicts)")
    guard let run = status.run, let start = status.startUs, let beats = ledger.beats(of: run) else { return }
    for beat in status.beatsInSight {
      try ensure(beat.beatUs == start + beats[beat.beat], "beat \(beat.beat) is in sight for \(beat.beatUs): \(status)")
      try ensure(!judged.contains(beat.beat), "beat \(beat.beat) is in sight and judged")
      // What came into sight stays there, also where the run is held again in its count-in.
      try ensure(
        ledger.hasSpawned(beat.beat, in: run)
          || beat.beatUs <= max(ledger.time.now(nowUs), status.pausedUs ?? status.goesOnUs ?? 0)
            + (status.spawnLeadUs ?? 0),
        "beat \(beat.beat) is in sight too soon")
    }
  }

  /// On the clock what is to come of a run stands in one piece.
  private func checkClock(_ status: RhythmStatus.Result, _ ledger: Ledger) throws {
    guard let run = status.run, let start = status.startUs, let beats = ledger.beats(of: run) else { return }
    try ledger.checkClock(of: run, start: start, end: status.endUs, paused: status.pausedUs, "\(status)")
    let torn = status.beatsInSight.first { $0.beatUs != start + beats[$0.beat] }
    try ensure(torn == nil, "beat \(torn.map { "\($0)" } ?? "") of a run from \(start): \(status)")
  }

  /// A tap without a stamp is one of when its line came, whatever was served before it.
  private func check(_ tap: RhythmTap.Result, _ sent: SimulatedClient.Sent, _ time: GameTime) throws {
    guard let came = sent.cameUs.map(time.game), tap.stamp == .arrival else { return }
    try ensure(tap.tapUs == came, "a tap that came at \(came) was judged at \(tap.tapUs)")
  }

  private func check(_ status: EngineStatus.Result) throws {
    let audio = status.audio
    try ensure(audio.peak.isFinite, "a peak of \(audio.peak)")
    try ensure(hasStalled || audio.lateStarts == 0, "\(audio.lateStarts) starts were late")
    try ensure(audio.xruns == 0, "\(audio.xruns) underruns without a device")
    try ensure(status.nowUs == nowUs, "now is \(status.nowUs), not \(nowUs)")
    try ensure((status.music.state == .stopped) == (status.music.track == nil), "\(status.music)")
    if let position = status.music.position, position.track == status.music.track {
      try ensure(position.bpm == status.music.bpm, "\(status.music)")
    }
    let score = status.rhythm.score
    try ensure(score.hits >= 0 && score.misses >= 0 && score.remaining >= 0, "\(score)")
  }
}
