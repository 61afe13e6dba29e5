// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Timing

/// Setting parameters, and driving what they drive.
extension Engine {
  /// The earliest instant at which a parameter can be set to something: when all that it drives can follow.
  func earliestSetting(of number: Int) -> Instant {
    let parameter = parameters.parameters[number]
    return max(
      parameter.isHeard ? turn.earliestSound : .distantPast, parameter.isFelt ? turn.earliestHaptic : .distantPast)
  }

  /// Plans a setting: from `instant` on the value moves to `value` in a straight line, from wherever it is. What is heard
  /// needs 5 ms not to click.
  mutating func set(
    _ number: Int, to value: Double, over length: Interval, at instant: Instant, by cause: Cause, cue: PlanID? = nil,
    keepAfterDisconnect: Interval = .zero
  ) throws(VerbRefusal) {
    let steps = steps(toSet: number)
    let payer = try shares.take(steps, for: cause, isUrgent: isNow(instant))
    driveAhead()
    cues.partBegan(of: cue)
    let over = parameters.parameters[number].isHeard ? max(length, .milliseconds(5)) : length
    parameters.insert(
      ParameterCourse.Setting(
        id: makePlan(), at: instant, over: over, value: value, cause: payer, cue: cue,
        steps: steps, keepAfterDisconnect: keepAfterDisconnect), of: number)
    drive(parameters.parameters[number].targets, from: instant)
  }

  /// What a setting takes of its client's share: as much as it drives.
  func steps(toSet number: Int) -> Int { max(1, parameters.parameters[number].targets.count) }

  /// Does what sets parameters one by one, and drives what they drive once, when all are set.
  mutating func gatheringDriven(_ body: (inout Engine) -> Void) {
    parameters.gathered = [:]
    body(&self)
    let gathered = parameters.gathered ?? [:]
    parameters.gathered = nil
    for (target, instant) in gathered.sorted(by: { $0.key < $1.key }) { drive([target], from: instant) }
  }

  /// A client has gone: what it set for later does not come. What it set for as soon as can be, and went, does.
  mutating func endSettings(of client: ClientID) {
    let soonest = max(turn.earliestSound, turn.earliestHaptic) + Self.promptness
    cancelSettings { [now = present] in
      $0.cause.client == client && $0.at > max(soonest, now + $0.keepAfterDisconnect)
    }
  }

  /// Calls off settings that have not come, but for those that are mixed or told by now and so stay; answers which.
  @discardableResult
  mutating func cancelSettings(
    where isMeant: (ParameterCourse.Setting) -> Bool
  ) -> [(parameter: Int, setting: ParameterCourse.Setting)] {
    let planned = parameters.planned
    let earliest = Dictionary(uniqueKeysWithValues: zip(planned, planned.map(earliestSetting)))
    let cancelled = parameters.cancel { number, setting in
      earliest[number].map { setting.at >= $0 } ?? false && isMeant(setting)
    }
    var changed: [Int: Instant] = [:]
    for (number, setting) in cancelled {
      shares.give(setting.steps, for: setting.cause)
      cues.partEnded(of: setting.cue, .undone, words(forParameter: number))
      changed[number] = min(setting.at, changed[number] ?? setting.at)
    }
    for (number, instant) in changed.sorted(by: { $0.key < $1.key }) {
      drive(parameters.parameters[number].targets, from: instant)
    }
    return cancelled
  }

  func words(forParameter number: Int) -> String { words(forParameter: parameters.parameters[number].key) }
  func words(forParameter key: AssetKey) -> String { "parameter \(key)" }

  // MARK: - Driving

  /// Tells all that is driven as it is at the start, before anything sounds.
  mutating func driveFromTheStart() {
    for index in parameters.targets.indices {
      let target = parameters.targets[index]
      let driven = target.driven(target.drivers.map { parameters.parameters[$0.parameter].standard })
      parameters.targets[index].told = driven
      switch target.place {
      case .mixer(let places):
        let commands = places.map { MixerCommand.drive($0, to: Float(driven), at: turn.reachableFrame, fade: .none) }
        if driven != (target.isInOctaves ? 0 : 1) { perform(commands.map(AudioStep.command)) }
        parameters.targets[index].joinedFrom = turn.reachableFrame + 1
      case .haptics(let family, let value):
        if driven != 1 { command(.drive(family, value, [.init(time: .zero, value: driven)], from: turn.now)) }
      }
    }
    (parameters.toldUntil, parameters.firstFrame) = (turn.now, turn.reachableFrame)
  }

  /// Tells what becomes of all that is driven within the horizon, and who set what by now.
  mutating func driveOn() {
    if parameters.parameters.isEmpty { return }
    for (number, setting) in parameters.settle(at: turn.now) {
      shares.give(setting.steps, for: setting.cause)
      cues.partEnded(of: setting.cue, .done, words(forParameter: number))
      tell(setting, of: number)
    }
    driveAhead()
  }

  /// Tells what becomes of all that is driven, as it is known now, up to the horizon.
  private mutating func driveAhead() {
    let (start, end) = (parameters.toldUntil, turn.now + hapticHorizon)
    guard end > start else { return }
    for index in parameters.movedTargets(from: start, to: end) { tell(index, from: start, to: end) }
    parameters.toldUntil = end
  }

  /// When there is more to drive or to tell.
  var nextSettingDeadline: Instant? {
    if parameters.isAtRest { return nil }
    guard let next = parameters.nextSetting else {
      return parameters.isMoving ? parameters.toldUntil - hapticHorizon + .milliseconds(20) : nil
    }
    if next >= parameters.toldUntil { return next - hapticHorizon + .microseconds(1) }
    return parameters.isMoving ? min(next, parameters.toldUntil - hapticHorizon + .milliseconds(20)) : next
  }

  /// Drives targets anew, as the packs have it now, as soon as it can be.
  mutating func driveAnew(_ targets: [Int]) {
    driveAhead()
    drive(targets, from: min(turn.earliestSound, turn.earliestHaptic), leaps: true)
  }

  /// Drives targets anew from an instant on: what they were told of then and later is taken back. Where that `leaps` they are
  /// elsewhere by then, and join without a click.
  private mutating func drive(_ numbers: [Int], from instant: Instant, leaps: Bool = false) {
    guard instant < parameters.toldUntil else { return }
    if var gathered = parameters.gathered.take() {
      for number in numbers { gathered[number] = min(instant, gathered[number] ?? instant) }
      parameters.gathered = gathered
      return
    }
    for number in numbers {
      parameters.targets[number].told = nil
      var joining: (from: Int64, at: Int64)?
      if case .mixer(let places) = parameters.targets[number].place {
        let frame = max(turn.timeline.frame(at: instant), turn.reachableFrame)
        perform(places.map { .steer(.retractDriven($0, from: frame)) })
        // On the way there already it comes no later.
        let joined = leaps ? frame + Int64(declick.frames) : parameters.targets[number].joinedFrom
        if frame < joined { joining = (frame, joined) }
      }
      tell(number, from: instant, to: parameters.toldUntil, joining: joining)
    }
  }

  /// Tells what becomes of a target between two instants; where the mixer is elsewhere it is `joining` between two frames.
  private mutating func tell(
    _ number: Int, from start: Instant, to end: Instant, joining frames: (from: Int64, at: Int64)? = nil
  ) {
    let target = parameters.targets[number]
    var pieces = parameters.pieces(of: number, from: start, to: end)
    var joined: Instant?
    if let frames, case .mixer(let places) = target.place, let first = pieces.first {
      if frames.from <= parameters.firstFrame {
        perform(places.map { .steer(.drive($0, to: Float(first.from), at: frames.from, fade: .none)) })
      } else if !target.isStepped {
        let instant = turn.timeline.instant(ofFrame: frames.at)
        pieces = ParameterTarget.joining(pieces, at: instant)
        joined = instant
        parameters.targets[number].joinedFrom = frames.at
      }
    }
    guard let last = pieces.last else { return }
    if let told = target.told, pieces.allSatisfy({ $0.from == told && $0.to == told }) { return }
    switch target.place {
    case .mixer(let places):
      for piece in pieces { tell(piece, of: number, at: places, isJoining: piece.end == joined) }
    case .haptics(let family, let value):
      let points = pieces.flatMap { piece in
        [(piece.start, piece.from), (piece.end, piece.to)].map { at, value in
          HapticParameterCurve.Point(time: at - start, value: value)
        }
      }
      command(.drive(family, value, points, from: start))
      parameters.targets[number].told = last.to
    }
  }

  private mutating func tell(
    _ piece: ParameterTarget.Piece, of number: Int, at places: [DrivenTarget], isJoining: Bool
  ) {
    let target = parameters.targets[number]
    let wanted = target.isStepped ? piece.from : piece.to
    if target.told == wanted { return }
    let planned = turn.timeline.frame(at: piece.start)
    let frame = max(planned, turn.reachableFrame)
    var fade = Fade(frames: Int32(clamping: max(turn.timeline.frame(at: piece.end) - frame, 1)), curve: .linear)
    // What stands is reached as soon as it can be without a click, and so is what comes late.
    let stands = piece.from == piece.to && !isJoining
    if stands || frame > planned && fade.frames < declick.frames && !isJoining { fade = declick }
    perform(places.map { .steer(.drive($0, to: Float(wanted), at: frame, fade: fade)) })
    parameters.targets[number].told = wanted
  }
}
