// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
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
    let (zero, late) = try zero(of: cue, in: pack, try instant(of: params, by: cause), params)
    let fired = try asked { () throws(VerbRefusal) in
      try fire(cue, key, in: pack, at: zero, tag: params.tag, keepAfterDisconnect: keep, by: cause)
    }
    return CueFire.Result(
      cue: key.description, scheduledUs: zero.instant(of: cue).microseconds, lateUs: late.microseconds,
      soundAtUs: fired?.heardAt?.microseconds, heardOn: fired?.heardOn.sorted { $0.rawValue < $1.rawValue } ?? [],
      hapticAtUs: fired?.feltAt?.microseconds,
      skewUs: fired.flatMap(skew)?.microseconds,
      skipped: fired?.skipped ?? [], chosen: fired?.chosen.map(choice) ?? [],
      suppressed: fired == nil,
      id: fired?.id.rawValue, tag: params.tag)
  }

  /// `cue.stop`.
  public mutating func stopCue(_ params: CueStop.Params, by cause: Cause) throws(RPCError) -> CueStop.Result {
    let fade = try fade(params.fadeUs, CueStop.ranges.fade, curve: .linear)
    let id = try firing(params, by: cause)
    let outcome = try asked { () throws(VerbRefusal) in try stopCue(id, fade, by: cause) }
    return CueStop.Result(
      calledOff: outcome.calledOff, stopped: outcome.stopped, tooLate: outcome.tooLate,
      soundAtUs: outcome.heardAt?.microseconds, hapticAtUs: outcome.feltAt?.microseconds)
  }

  /// Which firing is to be stopped.
  private func firing(_ params: CueStop.Params, by cause: Cause) throws(RPCError) -> PlanID {
    switch (params.id, params.tag) {
    case (let id?, nil): return PlanID(rawValue: id)
    case (nil, let tag?): return try firing(under: tag, by: cause)
    default:
      throw RPCError(
        .invalidParams, "\(method: "cue.stop") takes either id or tag",
        hint: "give id from the reply to \(method: "cue.fire"), or the tag of that request")
    }
  }

  private func firing(under tag: String, by cause: Cause) throws(RPCError) -> PlanID {
    guard let id = cues.firing(under: tag, of: cause.client) else {
      throw RPCError(
        .notRunning,
        "this client has no cue under the tag \(excerpt(tag)) that is running or among the latest that ran",
        hint: "it may have been stopped, suppressed, or be long over; tags are given at \(method: "cue.fire")")
    }
    return id
  }

  /// The instant that is asked for, as soon as possible where nil: by the clock, or behind another firing.
  private func instant(of params: CueFire.Params, by cause: Cause) throws(RPCError) -> Int64? {
    let afterUs = try CueFire.ranges.after.checked(params.afterUs)
    guard let tag = params.after else {
      guard params.afterUs == nil else {
        throw RPCError(
          .invalidParams, "\(field: "afterUs") counts from nothing",
          hint: "give after, too: the tag of the firing that it counts from")
      }
      return params.atUs
    }
    guard params.atUs == nil else {
      throw RPCError(.invalidParams, "a cue has either \(field: "atUs") or after, not both", hint: "leave one out")
    }
    let id = try firing(under: tag, by: cause)
    return cues.begins(of: id, of: cause.client).map { $0.microseconds + afterUs }
  }

  /// When a cue's parts begin that was asked for an instant, and how much later its zero is. A late cue moves whole.
  private mutating func zero(
    of cue: PackCue, in pack: PackGeneration, _ atUs: Int64?, _ params: CueFire.Params
  ) throws(RPCError) -> (zero: CueZero, late: Interval) {
    let isNow = atUs == nil && params.quantise == nil
    let align = params.align.map(PackCue.Align.init) ?? cue.align ?? (isNow ? .soundFirst : .together)
    let asked = atUs.map(Instant.init(microseconds:))
    _ = try schedule(atUs, earliest: turn.earliestSound)
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
