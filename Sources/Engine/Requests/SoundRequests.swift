// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Timing
import Wire

/// The sound nouns of the socket.
extension Engine {
  /// `sound.play`.
  public mutating func playSound(_ params: SoundPlay.Params, by cause: Cause) throws(RPCError) -> SoundPlay.Result {
    let (key, frames, pack) = try asset(.sound, params.sound, in: \.sounds, by: cause)
    let ranges = SoundPlay.ranges
    let options = SoundOptions(
      gain: try ranges.gain.checked(params.gain), pan: try ranges.pan.checked(params.pan),
      pitch: try ranges.pitch.checked(params.pitch), loops: params.loop ?? ranges.loop.fallback,
      keepAfterDisconnect: .microseconds(try ranges.keepAfterDisconnect.checked(params.keepAfterDisconnectUs)))
    let (at, late) = try schedule(params.atUs, earliest: turn.earliestSound)
    let isAsap = params.atUs == nil || late > .zero
    let voice = try asked { () throws(VerbRefusal) in
      try play(key.name, in: pack, options, at: at, isAsap: isAsap, by: cause)
    }
    return SoundPlay.Result(
      sound: key.description, id: voice.map { Int64($0.rawValue) }, skipped: voice == nil ? .soundOff : nil,
      scheduledUs: at.microseconds,
      lateUs: late.microseconds,
      durationUs: microseconds(Int64(Double(frames) / options.pitch)), bus: pack.manifest.heardBus(of: key.name))
  }

  /// `sound.set`.
  public mutating func setSound(_ params: SoundSet.Params, by cause: Cause) throws(RPCError) -> Scheduled {
    let ranges = SoundSet.ranges
    let fade = try fade(params.fadeUs, ranges.fade, curve: .linear)
    let change = SoundChange(
      gain: try ranges.gain.checked(params.gain).map { (Float($0), fade) },
      pan: try ranges.pan.checked(params.pan).map { Float($0) },
      pitch: try ranges.pitch.checked(params.pitch).map { Float($0) })
    guard change.gain != nil || change.pan != nil || change.pitch != nil else {
      throw RPCError(.invalidParams, "\(method: "sound.set") has nothing to set", hint: "give gain, pan or pitch")
    }
    let earliest = try schedule(params.atUs, earliest: turn.earliestSound).at
    let voice = VoiceID(rawValue: UInt64(bitPattern: params.id))
    let at = try asked { () throws(VerbRefusal) in try self.change(voice, to: change, at: earliest, by: cause) }
    let late = params.atUs.map { max(.zero, at - Instant(microseconds: $0)) } ?? .zero
    return Scheduled(scheduledUs: at.microseconds, lateUs: late.microseconds)
  }

  /// `sound.stop`.
  public mutating func stopSound(_ params: SoundStop.Params, by cause: Cause) throws(RPCError) -> Scheduled {
    let fade = try fade(params.fadeUs, SoundStop.ranges.fade, curve: .linear)
    let voice = params.id.map { VoiceID(rawValue: UInt64(bitPattern: $0)) }
    let (at, late) = try schedule(params.atUs, earliest: turn.earliestSound)
    try asked { () throws(VerbRefusal) in
      try stopSound(voice, fade, at: at, isForGood: params.atUs == nil, by: cause)
    }
    return Scheduled(scheduledUs: at.microseconds, lateUs: late.microseconds)
  }
}
