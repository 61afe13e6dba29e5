// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Timing
import Wire

/// The cue nouns of the socket.
extension Engine {
  /// `cue.fire`.
  public mutating func fireCue(_ params: CueFire.Params, by cause: Cause) throws(RPCError) -> CueFire.Result {
    let (key, pack) = try asset(.cue, params.cue, by: cause)
    guard let cue = pack.manifest.cues[key.name] else {
      throw RPCError(.internal, "cue \(key) is listed but missing")
    }
    let ranges = CueFire.ranges
    let keep = Interval.microseconds(try ranges.keepAfterDisconnect.checked(params.keepAfterDisconnectUs))
    let (zero, late) = try zero(of: cue, in: pack, params)
    let fired = try asked { () throws(Refusal) in
      try fire(cue, key, in: pack, at: zero, keepAfterDisconnect: keep, by: cause)
    }
    return CueFire.Result(
      cue: key.description, scheduledUs: zero.instant(of: cue).microseconds, lateUs: late.microseconds,
      soundAtUs: fired?.heardAt?.microseconds, hapticAtUs: fired?.feltAt?.microseconds,
      skewUs: fired.flatMap(skew)?.microseconds,
      skipped: fired?.skipped ?? [], chosen: fired?.chosen.map(choice) ?? [], suppressed: fired == nil,
      id: fired?.id.rawValue)
  }

  /// `cue.stop`.
  public mutating func stopCue(_ params: Wire.CueStop.Params, by cause: Cause) throws(RPCError) -> Wire.CueStop.Result {
    let fade = try fade(params.fadeUs, Wire.CueStop.ranges.fade, curve: .linear)
    let outcome = try asked { () throws(Refusal) in try stopCue(PlanID(rawValue: params.id), fade, by: cause) }
    return Wire.CueStop.Result(
      calledOff: outcome.calledOff, stopped: outcome.stopped, tooLate: outcome.tooLate,
      soundAtUs: outcome.heardAt?.microseconds, hapticAtUs: outcome.feltAt?.microseconds)
  }

  /// When a cue's parts begin, and how much later than asked for its zero is. A late cue moves whole.
  private mutating func zero(
    of cue: PackCue, in pack: PackGeneration, _ params: CueFire.Params
  ) throws(RPCError) -> (zero: CueZero, late: Interval) {
    let isNow = params.atUs == nil && params.quantise == nil
    let align = params.align.map(PackCue.Align.init) ?? cue.align ?? (isNow ? .soundFirst : .together)
    let asked = params.atUs.map(Instant.init(microseconds:))
    _ = try schedule(params.atUs, earliest: turn.earliestSound)
    var zero = zero(of: cue, in: pack, align, from: asked)
    if let word = params.quantise {
      let whole = zero.instant(of: cue)
      let next = try quantised(asked, earliest: align == .together ? max(whole, zero.haptic) : whole, to: word)
      zero = self.zero(of: cue, in: pack, align, from: next.at)
      return (zero, asked.map { _ in next.late + max(.zero, zero.instant(of: cue) - next.at) } ?? .zero)
    }
    return (zero, asked.map { max(.zero, zero.instant(of: cue) - $0) } ?? .zero)
  }
}

extension PackCue.Align {
  fileprivate init(_ align: CueFire.Params.Align) {
    self =
      switch align {
      case .together: .together
      case .soundFirst: .soundFirst
      case .asap: .asap
      }
  }
}
