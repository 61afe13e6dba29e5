// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing
import Wire

/// What can be done to a haptic player while it plays.
extension Engine {
  /// `haptics.stop`. Of all it is as `sound.stop`: without an instant what is planned is called off too; for one it is of what
  /// has begun before, whenever that was asked for.
  public mutating func stopHaptics(_ params: HapticsStop.Params, by cause: Cause) throws(RPCError) -> Scheduled {
    let stopped = try params.player.map { (id) throws(RPCError) in try playing(id) }
    let earliest = earliestChange(of: stopped)
    let (at, late) = try schedule(params.atUs, earliest: earliest)
    if stopped == nil, params.atUs != nil {
      try asked { () throws(VerbRefusal) in try stopPatterns(PlannedHapticStop(cause: cause), at: at) }
    } else {
      for player in stopped.map({ [$0] }) ?? haptics.players { stopPlayer(player, at: at, .requested) }
    }
    return Scheduled(scheduledUs: at.microseconds, lateUs: late.microseconds)
  }

  /// `haptics.pause`.
  public mutating func pauseHaptics(_ params: PlayerParams, by cause: Cause) throws(RPCError) -> PlayerScheduled {
    let player = try playing(params.player)
    return scheduled(player, try change(player, by: .pause, atUs: params.atUs, for: cause))
  }

  /// `haptics.resume`.
  public mutating func resumeHaptics(_ params: PlayerParams, by cause: Cause) throws(RPCError) -> PlayerScheduled {
    let player = try playing(params.player)
    return scheduled(player, try change(player, by: .resume, atUs: params.atUs, for: cause))
  }

  /// `haptics.seek`.
  public mutating func seekHaptics(
    _ params: HapticsSeek.Params, by cause: Cause
  ) throws(RPCError) -> PlayerScheduled {
    let player = try playing(params.player)
    let position = Interval.microseconds(try HapticsSeek.ranges.position.checked(params.positionUs))
    let change = try change(player, by: .seek(to: position), atUs: params.atUs, for: cause)
    return PlayerScheduled(
      scheduledUs: change.scheduledUs, lateUs: change.lateUs, positionUs: position.microseconds)
  }

  /// `haptics.set`.
  public mutating func setHaptics(
    _ params: HapticsSet.Params, by cause: Cause
  ) throws(RPCError) -> PlayerScheduled {
    let player = try playing(params.player)
    var changes: [HapticPlayerChange] = []
    if let mute = params.mute { changes.append(.muted(mute)) }
    let ranges = HapticsSet.ranges
    if let rate = try ranges.rate.checked(params.rate) { changes.append(.rate(rate)) }
    if let loop = params.loop { changes.append(.loops(loop)) }
    if let end = try ranges.loopEnd.checked(params.loopEndUs) { changes.append(.loopEnd(loopEnd(end))) }
    if let gain = try ranges.gain.checked(params.gain) { changes.append(.gain(gain)) }
    guard !changes.isEmpty else {
      throw RPCError(
        .invalidParams, "haptics.set has nothing to set", hint: "give mute, rate, loop, \(field: "loopEndUs") or gain")
    }
    return scheduled(player, try change(player, by: .set(changes), atUs: params.atUs, for: cause))
  }

  /// `haptics.gain`.
  public mutating func changeHapticGain(
    _ params: HapticsGain.Params, by cause: Cause
  ) throws(RPCError) -> Scheduled {
    let gain = try HapticsGain.ranges.gain.checked(params.gain)
    let (at, late) = try schedule(nil, earliest: turn.earliestHaptic)
    try asked { () throws(VerbRefusal) in try setHapticGain(gain, at: at, for: cause) }
    return Scheduled(scheduledUs: at.microseconds, lateUs: late.microseconds)
  }

  /// `haptics.sendParameters`.
  public mutating func sendParameters(
    _ params: HapticsSendParameters.Params, by cause: Cause
  ) throws(RPCError) -> Scheduled {
    let player = try playing(params.player)
    var parameters: [HapticParameter] = []
    for control in HapticControl.allCases {
      let (kind, given) = params[control]
      guard let value = try HapticsScheduleCurve.value(of: kind).checked(given) else { continue }
      parameters.append(HapticParameter(control, value))
    }
    guard !parameters.isEmpty else {
      throw RPCError(
        .invalidParams, "haptics.sendParameters has nothing to send",
        hint: "give one or more of " + HapticControl.allCases.map { "\($0)" }.joined(separator: ", "))
    }
    return try change(player, by: .sendParameters(parameters), atUs: params.atUs, for: cause)
  }

  /// `haptics.scheduleCurve`.
  public mutating func scheduleCurve(
    _ params: HapticsScheduleCurve.Params, by cause: Cause
  ) throws(RPCError) -> Scheduled {
    let player = try playing(params.player)
    let ranges = HapticsScheduleCurve.ranges
    guard ranges.points.range.contains(params.points.count) else {
      throw RPCError(
        .invalidParams,
        "a curve of \(params.points.count) points; it takes \(ranges.points.range.lowerBound) to \(ranges.points.range.upperBound)",
        hint: params.points.isEmpty ? "give where it begins" : "schedule long curves in parts")
    }
    let control = HapticControl(params.control)
    var points: [HapticParameterCurve.Point] = []
    for (index, point) in params.points.enumerated() {
      let timeUs = try ranges.time.checked(point.timeUs, as: "points[\(index)].timeUs")
      let value = try HapticsScheduleCurve.value(of: params.control)
        .checked(point.value, as: "points[\(index)].value")
      points.append(HapticParameterCurve.Point(time: .microseconds(timeUs), value: value))
    }
    let curve = HapticParameterCurve(control, points: points)
    return try change(player, by: .scheduleCurve(curve), atUs: params.atUs, for: cause)
  }

  /// The player of that number, if it is to play or playing.
  func playing(_ id: Int64) throws(RPCError) -> HapticPlayerID {
    let player = HapticPlayerID(rawValue: UInt64(bitPattern: id))
    guard haptics.owners[player] != nil else {
      throw RPCError(
        .notRunning, "no haptic player \(id) is playing",
        hint: "it may have ended; players come from \(method: "haptics.play")")
    }
    return player
  }

  private mutating func change(
    _ player: HapticPlayerID, by verb: HapticPlayerVerb, atUs: Int64?, for cause: Cause
  ) throws(RPCError) -> Scheduled {
    let (at, late) = try schedule(atUs, earliest: earliestChange(of: player, isHeard: verb.isHeard))
    try asked { () throws(VerbRefusal) in try change(player, by: verb, at: at, for: cause) }
    return Scheduled(scheduledUs: at.microseconds, lateUs: late.microseconds)
  }

  private func scheduled(_ player: HapticPlayerID, _ change: Scheduled) -> PlayerScheduled {
    PlayerScheduled(
      scheduledUs: change.scheduledUs, lateUs: change.lateUs,
      positionUs: haptics.mixer.position(of: player, at: Instant(microseconds: change.scheduledUs))?.microseconds)
  }
}

extension HapticsSendParameters.Params {
  fileprivate subscript(control: HapticControl) -> (HapticsScheduleCurve.Control, Double?) {
    switch control {
    case .intensity: (.intensity, intensity)
    case .sharpness: (.sharpness, sharpness)
    case .audioVolume: (.audioVolume, audioVolume)
    case .audioPan: (.audioPan, audioPan)
    case .audioPitch: (.audioPitch, audioPitch)
    case .audioBrightness: (.audioBrightness, audioBrightness)
    }
  }
}

extension HapticControl {
  init(_ control: HapticsScheduleCurve.Control) {
    switch control {
    case .intensity: self = .intensity
    case .sharpness: self = .sharpness
    case .audioVolume: self = .audioVolume
    case .audioPan: self = .audioPan
    case .audioPitch: self = .audioPitch
    case .audioBrightness: self = .audioBrightness
    }
  }
}
