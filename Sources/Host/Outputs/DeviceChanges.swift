// SPDX-License-Identifier: Apache-2.0

import Engine
import Timing
import Wire

/// `devices.set`, and what is told of calibration.
extension Host {
  /// Changes the one output that is named.
  func changeDevice(_ params: DevicesSet.Params) throws(RPCError) -> DevicesSet.Result {
    let ranges = DevicesSet.ranges
    let gain = try ranges.gain.checked(params.gain)
    let lead = try ranges.deviceLead.checked(params.deviceLeadUs)
    switch (gain, lead) {
    case (let gain?, nil): return DevicesSet.Result(haptic: try change(gain: gain, of: params.device))
    case (nil, let lead?):
      try change(lead: .microseconds(lead), of: params.device)
      return DevicesSet.Result(audio: audioStatus)
    default:
      throw RPCError(
        .invalidParams, "a device is given either a \(field: "gain") or a \(field: "deviceLeadUs")",
        hint: "a haptic output has a gain, the sound device has a lead")
    }
  }

  private func change(gain: Double, of device: String) throws(RPCError) -> EngineStatus.HapticOutput {
    guard let changed = haptics.setGain(gain, of: device) else {
      throw Engine.unknownOutput(device, among: haptics.names)
    }
    if changed.kind == .log { journal?.enter(.logGain) { $0.add(whole: gain.bitPattern) } }
    beginTurn()
    engine.devicesChanged(audio: audioStatus.message, haptics: haptics.status)
    carryOutActions()
    return changed
  }

  private func change(lead: Interval, of device: String) throws(RPCError) {
    if let refusal = engine.leadIsFrozen { throw refusal }
    switch driver {
    case .live(let audio):
      if audio.output.description.device == device { tellAhead(by: lead - deviceLead) }
      guard audio.output.setLead(lead, of: device) else {
        throw Engine.unknownSoundDevice(device, playing: audio.output.description.device)
      }
    case .stepped(let audio):
      guard device == Self.steppedDevice else {
        throw Engine.unknownSoundDevice(device, playing: Self.steppedDevice)
      }
      tellAhead(by: lead - deviceLead)
      if let lost = audio.setLead(lead) { tell(.skipped(at: lost.first, lost: lost.count)) }
    }
    beginTurn()
    engine.devicesChanged(audio: audioStatus.message)
    carryOutActions()
  }

  /// Tells the mixer all that a lead which is longer by so much passes over, before it does: what begins, ends and changes among
  /// those frames does so where it was planned for, and not behind them.
  private func tellAhead(by more: Interval) {
    guard more > .zero else { return }
    beginTurn()
    engine.turn.leadToCome += more
    journal?.enter(engine.turn)
    advanceEngine()
    carryOutActions()
  }

  /// What stands for a device on a stepped clock.
  static let steppedDevice = "none"

  /// By what sound and taps are brought in line now.
  public var calibration: Calibration {
    let (audio, settings) = (audioStatus, engine.currentSettings)
    return Calibration(
      device: audio.device, deviceLeadUs: audio.deviceLeadUs, profile: settings.profile,
      judgingOffsetUs: settings.judgingOffsetUs)
  }
}
