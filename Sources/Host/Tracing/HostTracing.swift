// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Engine
import Haptics
import Mixing
import Outcomes
import Problems
import Timing
import Tracing
import Wire

/// What control records of voices, players and frames, and what it tells of it.
extension Host {
  func registerTrace(on router: inout Router<RequestContext>) {
    router.on(TraceExplain.self) { [unowned self] params, context throws(RPCError) in
      try explain(params, context.errand)
    }
    router.on(TraceRead.self) { [unowned self] params, _ throws(RPCError) in
      let from = try TraceRead.ranges.from.checked(params.from)
      return trace.page(from: from, since: params.sinceUs, devices: haptics.traceNames, lost: lostTrace)
    }
  }

  /// Goes through all records several times, which is done beside where that may be: by what is recorded now.
  private func explain(_ params: TraceExplain.Params, _ errand: Errand?) throws(RPCError) -> TraceExplain.Result {
    if params.id != nil, params.kind == nil {
      throw RPCError(
        .invalidParams, "id says nothing without kind",
        hint: "give kind, too: the number is of one of \(TraceKind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let (kept, rate, now, devices) = (trace.kept, configuration.rate, now, haptics.traceNames)
    let explained: @Sendable () -> Result<TraceExplain.Result, RPCError> = {
      let life = Life.explained(params.kind, params.id, in: kept, rate: rate, now: now)
      return life.map { .success(TraceExplain.Result($0, devices: devices)) } ?? .failure(Self.unrecorded(params))
    }
    guard let errand else { return try explained().get() }
    return try errand.result(of: explained).get()
  }

  /// No record is left of what was asked for.
  private static func unrecorded(_ params: TraceExplain.Params) -> RPCError {
    let what = [params.kind?.rawValue, params.id.map(String.init)].compactMap(\.self).joined(separator: " ")
    return RPCError(
      .unavailable, what.isEmpty ? "nothing is recorded yet" : "no record of \(what) is left, or there was none",
      hint: what.isEmpty
        ? "\(method: "cue.fire"), \(method: "sound.play") and the like have lives; ask for one first"
        : "the latest \(TraceTable.capacity) records are kept, some minutes of them: ask sooner")
  }

  /// Records that threads had no room for.
  var lostTrace: Int {
    let audio = if case .live(let audio) = driver { audio.output.lostTrace } else { 0 }
    return haptics.lostTrace + audio
  }

  /// Gathers what the audio thread and the haptic devices recorded.
  func gatherTrace() {
    defer { trace.pack() }
    haptics.drainTrace { trace.take($0) }
    guard case .live(let audio) = driver else { return }
    audio.output.drainTrace { trace.take($0) }
    let now = audio.now
    guard now - trace.sampledAt >= Self.samplingInterval, let used = audio.output.processorTime else { return }
    trace.sampledAt = now
    trace.note(.processor(at: now, used: used, thread: .audio))
  }

  /// How often the processor time of the audio thread is looked at, at most.
  private static let samplingInterval = Interval.milliseconds(100)

  /// How often what other threads recorded is gathered at least, so that their rings never fill.
  static let gatheringInterval = Interval.milliseconds(2_000)

  /// Records that starts among `commands`, but for those `refused`, were handed over at `now`.
  func noteStarts(_ commands: [MixerCommand], refused: Set<VoiceID>, at now: Instant) {
    for case .start(let start) in commands where !refused.contains(start.id) {
      let track = engine.origin(ofTrack: start.id)
      let origin = track.map { ($0.cause, $0.cue) } ?? engine.origin(of: start.id)
      let isTrack = if case .stream = start.source { true } else { false }
      let frame = start.at + pause.stood
      trace.note(
        .start(
          voice: start.id.rawValue, frame: frame, heard: outputTimeline.instant(ofFrame: frame), at: now,
          cue: origin?.1?.rawValue ?? 0, plan: track?.plan.rawValue ?? 0, isTrack: isTrack), by: origin?.0)
    }
  }

  /// Records that a sound found no room and does not begin, told for `frame`, which is the engine's.
  func noteStolen(_ voice: VoiceID, at frame: Int64) {
    guard let origin = engine.origin(of: voice) else { return }
    let instant = outputTimeline.instant(ofFrame: frame + pause.stood)
    trace.note(
      .unbegun(
        id: Int64(clamping: voice.rawValue), due: instant, at: instant, cue: origin.cue?.rawValue ?? 0,
        subject: .sound, why: .stolen), by: origin.cause)
  }

  /// Records what does not begin.
  func note(_ part: UnbegunPart) {
    let (subject, id): (TraceKind, Int64) =
      switch part.what {
      case .sound(let voice): (.sound, Int64(clamping: voice.rawValue))
      case .player(let player): (.haptics, Int64(clamping: player.rawValue))
      case .music(let plan): (.music, plan)
      case .cue(let cue): (.cue, cue)
      }
    trace.note(
      .unbegun(
        id: id, due: part.due.map(pause.clock.told) ?? .distantPast, at: pause.clock.told(part.at), cue: part.cue ?? 0,
        subject: subject, why: part.isSkipped ? .skipped : .calledOff), by: part.cause)
  }

  /// Records that the engine stands from an instant on, pauses of `stood` frames before it, or that it stood for `length`.
  func noteStand(at instant: Instant, from stood: Int64, length: Interval? = nil) {
    trace.note(
      .stood(
        at: instant, frame: pause.lastFrame + stood, frames: pause.stood - stood, length: length ?? .zero,
        resumed: length != nil))
  }

  /// Records that the start of a player was handed over.
  func noteStart(_ command: HapticCommand) {
    guard case .start(let player, let pattern, _, let at, let options) = command else { return }
    let origin = engine.origin(of: player)
    trace.note(
      .player(
        player: player.rawValue, felt: pause.clock.told(at), at: now, cue: origin?.cue?.rawValue ?? 0,
        silence: options.silence(of: pattern)), by: origin?.cause)
  }

  /// Records what a step of a cue, or a verb of music, changes of what is heard or felt.
  func note(_ change: PlannedChange) {
    let (frame, heard): (Int64, Instant) =
      if let frame = change.frame {
        (frame + pause.stood, outputTimeline.instant(ofFrame: frame + pause.stood))
      } else {
        (0, pause.clock.told(change.at))
      }
    trace.note(
      .changed(
        cue: change.cue ?? 0, frame: frame, heard: heard, at: now, isFelt: change.frame == nil, plan: change.plan ?? 0),
      by: change.cause)
  }

  /// Records what a voice did that the mixer tells of.
  func noteVoice(_ event: MixerEvent, announced: Int64?) {
    switch event {
    case .started(let voice, let at):
      guard let announced, at != announced else { return }
      let frame = at + pause.stood
      trace.note(.moved(voice: voice.rawValue, frame: frame, heard: outputTimeline.instant(ofFrame: frame)))
    case .finished(let voice, let at, let reason) where reason == .cancelled || reason == .rejected:
      trace.note(.letGo(voice: voice.rawValue, at: outputTimeline.instant(ofFrame: at + pause.stood)))
      if reason == .rejected { noteStolen(voice, at: at) }
    case .finished(let voice, let at, _):
      let frame = at + pause.stood
      trace.note(.ended(voice: voice.rawValue, frame: frame, heard: outputTimeline.instant(ofFrame: frame)))
    case .starved(let voice, let at): noteSilence(voice, at: at, isOver: false)
    case .rejoined(let voice, let at): noteSilence(voice, at: at, isOver: true)
    }
  }

  private func noteSilence(_ voice: VoiceID, at played: Int64, isOver: Bool) {
    let frame = played + pause.stood
    trace.note(
      .silent(voice: voice.rawValue, from: frame, heard: outputTimeline.instant(ofFrame: frame), isOver: isOver))
  }

  /// Records frames that the output lost.
  func noteLoss(_ notice: AudioOutputNotice) {
    let (frame, lost, cause): (Int64, Int64, TraceEvent.Loss)
    switch notice {
    case .underrun(let at, let count): (frame, lost, cause) = (at, count, .underrun)
    case .skipped(let at, let count): (frame, lost, cause) = (at, count, .skipped)
    case .corrected(_, let count, let at): (frame, lost, cause) = (at, count, .corrected)
    case .deviceLost, .deviceRests, .deviceStarted, .unpaced: return
    }
    trace.note(
      .lost(
        first: frame, frames: lost, heard: outputTimeline.instant(ofFrame: frame), noticed: now, cause: cause))
  }

  /// Records what a stepped output rendered from `first` on.
  func notePeriod(from first: Int64, _ audio: SteppedAudio) {
    guard audio.frame > first else { return }
    trace.note(
      .period(
        first: first, due: audio.now, woken: audio.now, done: audio.now, heard: audio.timeline.instant(ofFrame: first),
        frames: Int32(truncatingIfNeeded: audio.frame - first)))
  }
}

extension TraceExplain.Result {
  /// A life as clients read it; `devices` are the names of haptic outputs.
  init(_ life: Life, devices: [UInt8: String]) {
    self.init(
      kind: life.subject, id: life.id, client: life.client == 0 ? nil : Int64(life.client),
      line: life.line == 0 ? nil : Int64(life.line), askedUs: life.asked?.microseconds,
      scheduledUs: life.scheduled.microseconds,
      stages: life.stages.map { stage in
        TraceStage(
          stage: stage.kind, fromUs: stage.begun.microseconds, toUs: stage.over?.microseconds,
          lateUs: stage.late.microseconds, part: stage.part?.told.number, partKind: stage.part?.told.kind,
          device: stage.device.map { devices[$0] ?? "unplugged" }, client: stage.client.map(Int64.init))
      },
      late: life.blames.map { blame in
        TraceBlame(
          who: blame.culprit, lateUs: blame.late.microseconds,
          device: blame.device.map { devices[$0] ?? "unplugged" }, client: blame.client.map(Int64.init))
      }, incomplete: life.isIncomplete ? true : nil)
  }
}

extension Life.Part {
  /// As clients know it.
  fileprivate var told: (kind: TraceKind, number: Int64) {
    switch self {
    case .sound(let number): (.sound, Int64(clamping: number))
    case .track(let number): (.music, Int64(clamping: number))
    case .player(let number): (.haptics, Int64(clamping: number))
    }
  }
}
