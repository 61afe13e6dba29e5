// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing
import Wire

/// Pausing: who asks for it, what it does to the outputs, and where the clock's instants become the engine's and back.
extension Host {
  func registerPausing(on router: inout Router<RequestContext>) {
    router.on(EnginePause.self) { [unowned self] _, context throws(RPCError) in
      try pauseEngine(for: context.cause.client)
    }
    router.on(EngineResume.self) { [unowned self] _, context throws(RPCError) in
      try resumeEngine(for: context.cause.client)
    }
  }

  private func pauseEngine(for client: ClientID) throws(RPCError) -> PauseState {
    if pause.state == nil, controller.pausesUnderWay >= EnginePausing.mostUnderWay {
      throw RPCError(
        .busy, "the engine was paused and resumed \(EnginePausing.mostUnderWay) times within moments",
        hint: "ask again in some milliseconds")
    }
    pause.take(by: client)
    followHolders()
    guard let state = pause.state else { throw RPCError(.internal, "the engine does not stand") }
    return state
  }

  private func resumeEngine(for client: ClientID) throws(RPCError) -> EngineResume.Result {
    let wasHeld = pause.letGo(by: client)
    // Whoever resumes has welcomed the player back.
    let wasAsleep = pause.letGoOfSleep()
    guard wasHeld || wasAsleep else {
      throw RPCError(
        .notRunning, "this client does not pause the engine",
        hint: "each client resumes its own pause alone; \(method: "engine.status") reports how many hold one")
    }
    let moved = followHolders()
    return EngineResume.Result(
      paused: pause.state, resumedUs: moved?.at.microseconds, movedUs: moved?.length.microseconds)
  }

  /// A client has gone.
  func letGo(_ client: ClientID) {
    if pause.letGo(by: client) { followHolders() }
  }

  /// The system is about to sleep: the engine stands from the instant on that is answered.
  public func prepareForSleep() -> Instant {
    pause.takeForSleep()
    followHolders()
    return pause.clock.lasting?.stoppedAt ?? now
  }

  /// The system is awake again: the engine goes on once a client resumes it, or at once where no client `isListening`.
  public func wokeUp(isListening: Bool) {
    pause.wakeUp()
    if !isListening { endSleep() }
  }

  /// Nobody listens any more who could resume it after a sleep.
  public func endSleep() {
    if pause.letGoOfSleep() { followHolders() }
  }

  /// Stands or goes on as is wanted now; when it goes on and how long it will have stood, where it does.
  @discardableResult private func followHolders() -> (at: Instant, length: Interval)? {
    beginTurn()
    defer {
      beginTurn()
      follow(pause.clock)
    }
    if pause.isWanted {
      guard pause.clock.lasting == nil else { return nil }
      // There is room for twice as many as may be pending.
      stand(before: pause.stand(engine.turn, rate: configuration.rate))
      guard let state = pause.state else { return nil }
      noteStand(at: Instant(microseconds: state.atUs), from: pause.stood)
      tell(
        OutgoingNotification(EnginePaused(sleep: state.sleep), tUs: state.atUs, standsFromUs: state.atUs))
      return nil
    }
    guard let hold = pause.clock.lasting else { return nil }
    let timeline = outputTimeline
    let felt = timeline.frame(at: now + haptics.lead) + 1
    let reachable: Int64 =
      switch driver {
      case .live(let audio): audio.reachableOutputFrame(controller)
      case .stepped(let audio): audio.reachableOutputFrame
      }
    let stoodBefore = pause.stood
    guard let stood = pause.goOn(notBefore: max(reachable, felt), timeline, rate: configuration.rate) else {
      return nil
    }
    goOn(afterStanding: stood)
    let length = pause.clock.told(hold.at) - hold.stoppedAt
    noteStand(at: hold.stoppedAt, from: stoodBefore, length: length)
    tell(
      OutgoingNotification(
        EngineResumed(movedUs: length.microseconds), tUs: (hold.stoppedAt + length).microseconds,
        goesOnByUs: length.microseconds))
    return (hold.stoppedAt + length, length)
  }

  // MARK: - Instants

  /// What the clock shows at an instant of the engine's, in microseconds.
  func told(_ us: Int64) -> Int64 { pause.clock.told(Instant(microseconds: us)).microseconds }

  /// The engine's instant at one of the clock's, in microseconds. What is beyond all time stays as it is.
  private func engineTime(_ us: Int64) -> Int64 {
    let instant = Instant(microseconds: us)
    return instant.microseconds == us ? pause.clock.now(at: instant).microseconds : us
  }

  /// What brings a method's params into the engine's time; refuses instants while it is paused.
  func planned<Method: WireMethod>(
    _ method: Method.Type
  ) -> (inout Method.Params, inout RequestContext) throws(RPCError) -> Void {
    { [unowned self] (params, _) throws(RPCError) in
      guard Method.takesInstants, pause.clock.count > 0 else { return }
      var named: Int64?
      Method.moveInstants(of: &params) { us in
        named = us
        return engineTime(us)
      }
      guard let named, pause.clock.lasting != nil else { return }
      throw RPCError(
        .paused,
        "the engine is paused, and nobody knows when \(field: "atUs") \(microseconds: named) will be",
        hint:
          "leave \(field: "atUs") out, and it waits until all goes on; \(method: "engine.status") counts who pauses it")
    }
  }

  /// Brings a tap's stamp into the engine's time: what was stamped before a pause counts, and in it nothing does.
  func stamp(_ params: inout RhythmTap.Params, _ context: inout RequestContext) throws(RPCError) {
    guard pause.clock.count > 0 else { return }
    let ago = Interval.microseconds(params.atUs == nil ? max(0, params.agoUs ?? 0) : 0)
    let stamp = Instant(microseconds: params.atUs ?? context.arrival.microseconds) - ago
    guard let tapped = pause.clock.stamp(at: stamp) else {
      throw RPCError(
        .paused, "the engine was paused at \(microseconds: stamp.microseconds), when the tap came",
        hint: "send taps of before the pause, and of after it; those in it count for nothing")
    }
    if params.atUs != nil { params.atUs = engineTime(params.atUs ?? 0) }
    context.arrival = tapped + ago
  }
}
