// SPDX-License-Identifier: Apache-2.0

import Engine
import GamePacks
import Haptics
import Timing
import Wire

extension Host {
  /// Registers every method of the engine. Session, events and discovery methods are the server's.
  public func register(on router: inout Router<RequestContext>) {
    registerClock(on: &router)
    registerMusicAndSound(on: &router)
    registerHapticsAndCues(on: &router)
    registerRhythm(on: &router)
    registerControls(on: &router)
    registerSettingsAndDevices(on: &router)
    registerPausing(on: &router)
    registerTrace(on: &router)
    registerPacks(on: &router)
  }

  private func registerClock(on router: inout Router<RequestContext>) {
    router.on(ClockNow.self) { [unowned self] _, _ in
      ClockNow.Result(nowUs: now.microseconds, timeline: Timeline(outputTimeline))
    }
    router.on(ClockStep.self) { [unowned self] params, _ throws(RPCError) in
      guard case .stepped(let audio) = driver else {
        throw RPCError(.notStepped, "this daemon's clock runs by itself", hint: "start it with --clock stepped")
      }
      let target = Instant(microseconds: params.toUs)
      guard target >= audio.now, target <= audio.now + Self.longestStep else {
        throw RPCError(
          .invalidParams, "toUs \(params.toUs) is not within an hour after now, \(audio.now.microseconds)",
          hint: "step forward, at most an hour at a time")
      }
      step(to: target, audio)
      return ClockStep.Result(nowUs: audio.now.microseconds)
    }
    on(SessionUse.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.usePack(params, by: context.cause)
    }
    on(PackList.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.packList(params, for: context.cause.client)
    }
  }

  private func registerMusicAndSound(on router: inout Router<RequestContext>) {
    on(MusicPlay.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.playMusic(params, by: context.cause)
    }
    on(MusicStop.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.stopMusic(params, by: context.cause)
    }
    on(MusicPause.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.pauseMusic(params, by: context.cause)
    }
    on(MusicResume.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.resumeMusic(params, by: context.cause)
    }
    on(MusicSeek.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.seekMusic(params, by: context.cause)
    }
    on(MusicGain.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.changeMusicGain(params, by: context.cause)
    }
    on(MusicCancel.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.cancelMusic(params, by: context.cause)
    }
    router.on(MusicStatus.self) { [unowned self] _, _ in
      beginTurn()
      return musicStatus
    }
    on(SoundPlay.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.playSound(params, by: context.cause)
    }
    on(SoundSet.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.setSound(params, by: context.cause)
    }
    on(SoundStop.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.stopSound(params, by: context.cause)
    }
  }

  /// Any client may change any player.
  private func registerHapticsAndCues(on router: inout Router<RequestContext>) {
    let plan = planned(HapticsPlay.self)
    let named = { [unowned self] (params: inout HapticsPlay.Params, context: inout RequestContext) throws(RPCError) in
      try plan(&params, &context)
      if let device = params.device { try haptics.check(device) }
      // Done by now, or the line is asked again: the engine is called once, and a journal has that.
      _ = try inlinePattern(of: params, context)
    }
    on(HapticsPlay.self, &router, isHeard: true, named) { [unowned self] (engine, params, context) throws(RPCError) in
      try engine.playHaptics(params, inline: try inlinePattern(of: params, context), by: context.cause)
    }
    on(HapticsTransient.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.playTransient(params, by: context.cause)
    }
    on(HapticsContinuous.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.playContinuous(params, by: context.cause)
    }
    on(HapticsStop.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.stopHaptics(params, by: context.cause)
    }
    on(HapticsPause.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.pauseHaptics(params, by: context.cause)
    }
    on(HapticsResume.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.resumeHaptics(params, by: context.cause)
    }
    on(HapticsSeek.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.seekHaptics(params, by: context.cause)
    }
    on(HapticsSet.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.setHaptics(params, by: context.cause)
    }
    on(HapticsGain.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.changeHapticGain(params, by: context.cause)
    }
    on(HapticsSendParameters.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.sendParameters(params, by: context.cause)
    }
    on(HapticsScheduleCurve.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.scheduleCurve(params, by: context.cause)
    }
    on(CueFire.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.fireCue(params, by: context.cause)
    }
    on(CueList.self, &router) { (engine, params, _) throws(RPCError) in try engine.cueList(params) }
    on(CueStop.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.stopCue(params, by: context.cause)
    }
    on(ParameterSet.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.setParameter(params, by: context.cause)
    }
    on(ParameterList.self, &router) { (engine, params, _) throws(RPCError) in try engine.listParameters(params) }
  }

  private func registerRhythm(on router: inout Router<RequestContext>) {
    let plan = planned(RhythmStart.self)
    let mapped = { [unowned self] (params: inout RhythmStart.Params, context: inout RequestContext) throws(RPCError) in
      try plan(&params, &context)
      _ = try inlineMap(of: params, context)
    }
    on(RhythmStart.self, &router, isHeard: true, mapped) { [unowned self] (engine, params, context) throws(RPCError) in
      try engine.startChapter(params, inline: try inlineMap(of: params, context), by: context.cause)
    }
    let stamped = { [unowned self] (params: inout RhythmTap.Params, context: inout RequestContext) throws(RPCError) in
      try stamp(&params, &context)
    }
    on(RhythmTap.self, &router, stamped) { [unowned self] (engine, params, context) throws(RPCError) in
      let result = try engine.tap(params, arrival: context.arrival)
      if result.verdict == .hit { isHit = true }
      return result
    }
    on(RhythmPause.self, &router, isHeard: true) { (engine, _, _) throws(RPCError) in try engine.pauseChapter() }
    on(RhythmResume.self, &router, isHeard: true) { (engine, params, _) throws(RPCError) in
      try engine.resumeChapter(params)
    }
    on(RhythmRestart.self, &router, isHeard: true) { (engine, _, _) throws(RPCError) in try engine.restartedChapter() }
    on(RhythmTakeOver.self, &router) { (engine, params, context) throws(RPCError) in
      try engine.takeOverChapter(params, by: context.cause)
    }
    on(RhythmStop.self, &router, isHeard: true) { (engine, _, context) throws(RPCError) in
      try engine.stopChapter(by: context.cause)
    }
    on(RhythmStatus.self, &router) { engine, _, _ in engine.chapterStatus() }
  }

  private func registerSettingsAndDevices(on router: inout Router<RequestContext>) {
    on(SettingsSet.self, &router, isHeard: true) { (engine, params, context) throws(RPCError) in
      try engine.changeSettings(params, by: context.cause)
    }
    on(SettingsGet.self, &router) { engine, _, _ in engine.currentSettings }
    router.on(EngineStatus.self) { [unowned self] _, _ in status() }
    router.on(DevicesSet.self) { [unowned self] params, _ throws(RPCError) in try changeDevice(params) }
    router.on(DevicesList.self) { [unowned self] _, _ in
      DevicesList.Result(audio: audioStatus, haptics: hapticStatus)
    }
  }

  /// The document that was given in place of a name, compiled where that is not too dear, or by now.
  private func inlinePattern(
    of params: HapticsPlay.Params, _ context: RequestContext
  ) throws(RPCError) -> HapticPattern? {
    guard params.pattern == nil, let document = params.ahap, let errand = context.errand else { return nil }
    return try errand.result { () -> Result<HapticPattern, RPCError> in
      do throws(RPCError) { return .success(try Engine.inlinePattern(document)) } catch { return .failure(error) }
    }.get()
  }

  /// The same of a beat map.
  private func inlineMap(of params: RhythmStart.Params, _ context: RequestContext) throws(RPCError) -> BeatMapFile? {
    guard let map = params.map, let errand = context.errand else { return nil }
    return try errand.result { () -> Result<BeatMapFile, RPCError> in
      do throws(RPCError) { return .success(try Engine.inlineMap(map)) } catch { return .failure(error) }
    }.get()
  }

  /// Lets the engine answer a method: what that plans is carried out before the answer goes out. One that changes what `isHeard`
  /// is done anew where the mixer had passed the frame of the change. What is steered goes on from where it is.
  private func on<Method: WireMethod>(
    _ method: Method.Type, _ router: inout Router<RequestContext>, isHeard: Bool = false,
    _ answer: @escaping (inout Engine, Method.Params, RequestContext) throws(RPCError) -> Method.Result
  ) {
    on(method, &router, isHeard: isHeard, planned(method), answer)
  }

  /// The same where `read` brings what is asked into the engine's time.
  private func on<Method: WireMethod>(
    _ method: Method.Type, _ router: inout Router<RequestContext>, isHeard: Bool = false,
    _ read: @escaping (inout Method.Params, inout RequestContext) throws(RPCError) -> Void,
    _ answer: @escaping (inout Engine, Method.Params, RequestContext) throws(RPCError) -> Method.Result
  ) {
    let promises = Method.Result.self is any PromisingResult.Type
    if configuration.replayed != nil { repeats[method.name] = repeating(method, isHeard: isHeard, answer) }
    router.on(method) { [unowned self] asked, asking throws(RPCError) in
      beginTurn()
      listen()
      trace.line.decoded = engine.turn.clockNow
      var (params, context) = (asked, asking)
      try read(&params, &context)
      var result: Method.Result
      var planned: Instant
      let mayPass = isHeard && !isFar(Method.instantAsked(params))
      while true {
        journal?.enter(Method.name, params, context)
        do throws(RPCError) {
          result = try answered(Method.name, mayPass: mayPass) { () throws(RPCError) in
            try answer(&engine, params, context)
          }
        } catch {
          carryOutActions()
          throw error
        }
        planned = now
        trace.line.planned = planned
        if !mayPass { carryOutActions() }
        if !mayPass || carriedOut() { break }
        beginTurn()
      }
      if let failure = takeTrackFailure(), failure.cause == context.cause { throw failure.error }
      Method.moveInstants(in: &result, told)
      if promises, let promise = (result as? any PromisingResult)?.promise {
        trace.note(
          promise, asked: Method.instantAsked(asked), isQuantised: Method.isQuantised(asked), at: planned,
          by: context.cause)
      }
      return result
    }
  }

  /// Has the engine answer; of what the mixer `mayPass` it is kept how the engine was before.
  func answered<Answer: Encodable>(
    _ method: String, mayPass: Bool, _ answer: () throws(RPCError) -> Answer
  ) throws(RPCError) -> Answer {
    _ = takeTrackFailure()
    if mayPass { planning.begin(engine, configuration.replayed?.rhythmSteps) }
    do throws(RPCError) {
      return try telling(method, at: engine.turn.now, answer)
    } catch {
      planning.end()
      throw error
    }
  }

  /// Whether what is asked for lies so far ahead that only a control that stands still for a second could be late for it. Keeping the
  /// engine as it was has all copied that the line changes.
  func isFar(_ atUs: Int64?) -> Bool {
    guard let atUs else { return false }
    return Instant(microseconds: atUs) - engine.turn.now > .milliseconds(1_000)
  }

  /// The most a stepped clock moves at once.
  private static let longestStep = Interval.milliseconds(3_600_000)
}
