// SPDX-License-Identifier: Apache-2.0

import ControlInput
import Engine
import Timing
import Wire

/// Controls that are bound: who binds them, and how what is pressed comes to the chapter.
extension Host {
  func registerControls(on router: inout Router<RequestContext>) {
    router.on(RhythmBind.self) { [unowned self] params, context throws(RPCError) in
      try checkLane(params.lane)
      return try controls.bind(params, for: context.cause.client)
    }
    router.on(RhythmUnbind.self) { [unowned self] params, context throws(RPCError) in
      // What was pressed by now counts.
      beginTurn()
      listen()
      carryOutActions()
      return try controls.unbind(params.binding, of: context.cause.client)
    }
  }

  /// Refuses a lane that the chapter that runs does not have; of one to come nothing is known.
  private func checkLane(_ lane: String?) throws(RPCError) {
    if let refusal = engine.refusal(ofLane: lane) { throw refusal }
  }

  /// How far behind devices that give more than is read at once may hold what is settled.
  private static let mostBehind = Interval.milliseconds(100)

  /// Reads what was pressed by now and has it judged. It comes before whatever settles beats: so none is missed for a press that
  /// was made in time, however late it is read.
  func listen() {
    let clients = heardClients.map(pause.clock.now(at:))
    guard controls.isListening else { return listened(upTo: clients) }
    let heard = controls.listen()
    for press in heard.presses { judge(press) }
    for (binding, path) in heard.lost {
      tell(
        OutgoingNotification(
          RhythmBindingChanged(binding: binding.id, devices: controls.status(of: binding), lostOn: path),
          tUs: engine.turn.clockNow.microseconds))
    }
    let devices = heard.upTo.map { max(pause.clock.now(at: $0), engine.turn.now - Self.mostBehind) }
    listened(upTo: earliest(clients, devices))
  }

  private func judge(_ press: ControlInputs.Press) {
    let binding = press.binding
    var told = RhythmTapped(binding: binding.id, device: press.device, lane: binding.lane)
    var key: String?
    do throws(RPCError) {
      guard let stamp = pause.clock.stamp(at: press.at) else {
        throw RPCError(.paused, "the engine was paused when the tap came")
      }
      let result = try tap(bound: binding.lane, at: stamp)
      (told.verdict, told.beat, told.errorUs) = (result.verdict, result.beat, result.errorUs)
      (told.grade, told.run) = (result.grade, result.run)
    } catch {
      told.refused = error.data.kind
      told.reason = [error.message, error.data.hint].compactMap(\.self).joined(separator: "; ")
      key = "rhythm.tapped"
    }
    if told.verdict == .ghost { key = "rhythm.tapped" }
    // As with a tap of its own, a client is told the verdict behind what the tap set off.
    carryOutActions()
    tell(OutgoingNotification(told, tUs: press.at.microseconds, coalescingKey: key))
  }

  /// Opens and closes devices as is wanted, and tells what became of bindings.
  func followControls(isWoken: Bool) {
    let now = engine.turn.clockNow
    for change in controls.run(at: now, isWoken: isWoken, isJudging: engine.isJudging) {
      tell(OutgoingNotification(change, tUs: now.microseconds))
    }
  }
}
